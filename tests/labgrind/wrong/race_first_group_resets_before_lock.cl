// run: total_of 32/8
// global: int 32 = iota
// global: int 1 = 0
// global: int 1 = 7
// expect: data-race 8
__kernel void total_of(__global const int* data, volatile __global int* mutex,
                       volatile __global int* total) {
    if (get_global_id(0) == 0) *total = 0; // in group 0, which may be the last to run
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(mutex, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total += data[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
