// A group uses twice as many elements as the distance to the next group.
// run: k 16/4
// global: int 36 = iota
// expect: data-race 10
// expect: data-race 12
// says: Each group uses 8 elements of values, but the next group begins only 4 elements later: a group's first index must be its number times 8
__kernel void k(__global int* values) {
    const size_t first = get_global_id(0);
    const size_t second = first + get_local_size(0);
    const int a = values[first];
    const int b = values[second];
    values[first] = a + b;
    values[second] = a - b;
}
