// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: missing-fence 20
// expect: data-race 15
// says: by a different work-item than the one that took it
__kernel void k(__global const int* in, volatile __global int* mutex,
                volatile __global int* total) {
    const size_t lid = get_local_id(0);
    if (lid == 0) {
        while (atomic_cmpxchg(mutex, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total += in[get_global_id(0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == get_local_size(0) - 1) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
