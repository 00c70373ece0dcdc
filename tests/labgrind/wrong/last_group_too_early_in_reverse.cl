// run: sum 256/64
// global: int 256 = iota
// global: int 4
// global: int 1 = 0
// global: uint 1 = 0
// expect: data-race 13
// says: reads it before group 0 has executed the atomic operation at line 15: the condition that lets it read is true too early
__kernel void sum(__global const int* data, volatile __global int* results, __global int* total,
                  volatile __global uint* done) {
    if (get_local_id(0) != 0)
        return;
    // get_num_groups(1) is 1: the first group that counts takes itself for the last one.
    results[get_group_id(0)] = data[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(done) == get_num_groups(1) - 1) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total = results[0];
    }
}
