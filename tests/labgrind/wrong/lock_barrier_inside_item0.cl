// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: divergent-barrier 15
// expect: barrier-in-lock 15
__kernel void k(__global const int* in, volatile __global int* lock, volatile __global int* sum) {
    __local int t[64];
    const int lid = get_local_id(0);
    t[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
        barrier(CLK_GLOBAL_MEM_FENCE);
        *sum += t[0];
        atomic_xchg(lock, 0);
    }
}
