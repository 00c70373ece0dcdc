// run: k 64/8
// global: int 64 = iota
// global: int 8 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: uninitialised 19
// says: a condition depends on it
// Only the last group sets the flag. That the others read all sums, too, follows from it.
__kernel void k(__global const int* in, volatile __global int* sums, volatile __global int* done,
                __global int* total) {
    __local int is_last;
    if (get_local_id(0) == 0) {
        sums[get_group_id(0)] = in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(done) == get_num_groups(0) - 1)
            is_last = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last && get_local_id(0) == 0) {
        int sum = 0;
        for (int i = 0; i < get_num_groups(0); i++)
            sum += sums[i];
        *total = sum;
    }
}
