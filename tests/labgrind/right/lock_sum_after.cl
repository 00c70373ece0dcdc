// run: k 256/64
// global: int 1 = 0
// global: float 1 = 0
// global: float 256 = iota
// local: char 256
// expect: nothing
__kernel void k(volatile __global int* L, __global float* tot, __global const float* d,
                __local float* s) {
    int l = get_local_id(0);
    s[l] = d[get_global_id(0)];
    for (int i = 32; i > 0; i /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < i)
            s[l] += s[l + i];
    }
    if (l == 0) {
        while (atomic_cmpxchg(L, 0, 1))
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *tot += s[0];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
}
