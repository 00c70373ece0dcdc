// All work-items read the counter of the groups again, instead of using what the increment returns.
// run: k 12/4
// global: int 3 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 18
// expect: data-race 19
// says: the read can also see what other groups add later: use the old value
__kernel void k(__global int* results, volatile __global int* done, __global int* total) {
    if (get_local_id(0) == 0) {
        results[get_group_id(0)] = 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(done);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    if (*done == get_num_groups(0) && get_local_id(0) == 1)
        *total = results[0] + results[1] + results[2];
}
