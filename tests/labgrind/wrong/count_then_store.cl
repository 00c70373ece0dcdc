// run: k 64/8
// global: int 64 = iota
// global: int 8 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 22
// says: line 15 comes after the atomic operation at line 14, which can signal to other groups before the value is stored
// says: store it first
__kernel void k(__global const int* d, volatile __global int* sums, volatile __global int* done,
                __global int* total) {
    if (get_local_id(0) != 0)
        return;
    const int group = get_group_id(0);
    const int before = atomic_inc(done);
    sums[group] = d[8 * group];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (before != (int)get_num_groups(0) - 1)
        return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < (int)get_num_groups(0); ++i)
        sum += sums[i];
    *total = sum;
}
