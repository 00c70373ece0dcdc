// The end of a work-item's part is not limited to n, and the access is in another function.
// run: k 4/2
// global: int 10 = iota
// value: uint 10
// value: uint 3
// global: int 4
// expect: out-of-bounds 14
// says: reads data[10] at line 14, called at line 20, where i is 10
// says: and end is 12, computed from the kernel's arguments n = 10 and items = 3, but data has elements 0 to 9, because n is 10: does the loop go too far, or is the index wrong?

int sum_of(__global const int* data, uint begin, uint end) {
    int sum = 0;
    for (uint i = begin; i < end; ++i)
        sum += data[i];
    return sum;
}

__kernel void k(__global const int* data, uint n, uint items, __global int* out) {
    const uint first = min((uint)get_global_id(0) * items, n);
    out[get_global_id(0)] = sum_of(data, first, first + items);
}
