// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 64 = 0
// expect: data-race 13
__kernel void k(__global const int* in, volatile __global int* mutex,
                volatile __global int* total) {
    const int lid = get_local_id(0);
    if (lid == 0)
        while (atomic_cmpxchg(mutex, 0, 1) != 0)
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    total[lid] += in[get_global_id(0)];
    if (lid == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
