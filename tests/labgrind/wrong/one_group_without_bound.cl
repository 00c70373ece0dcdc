// The length and the number of groups are both 1, but the array has an element for each work-item.
// run: k 4/4
// global: int 1 = iota
// global: int 1 = 0
// value: uint 1
// expect: out-of-bounds 11
// says: because n is 1: does the kernel check that the index is less than n?
__kernel void k(__global int* values, __global int* sums, uint n) {
    const size_t gid = get_global_id(0);
    const int mine = gid < n ? values[gid] : 0;
    sums[get_group_id(0)] = values[gid] + mine;
}
