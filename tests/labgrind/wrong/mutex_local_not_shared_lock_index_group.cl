// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: int 1 = 0
// expect: data-race 11
__kernel void k(__global const int* in, volatile __global int* mutex, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(&mutex[get_group_id(0)], 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&mutex[get_group_id(0)], 0);
    }
}
