// run: k 2/1
// global: int 2 = 0
// global: int 2 = 0
// global: int 1 = 0
// expect: data-race 11

// Group 1 says that its element is there, but group 0 does not ask.
__kernel void k(__global int* values, __global int* last, __global int* count) {
    const size_t group = get_group_id(0);
    if (group == 1) {
        values[0] = 7;
        last[1] = atomic_inc(count) == 1;
    } else {
        last[0] = values[0];
    }
}
