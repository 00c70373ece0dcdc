// run: k 256/64
// global: int 16 = 0
// global: int 16 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global int* vis, __global int* q, __global int* n) {
    int v = (get_global_id(0) * 7) % 16;
    if (atomic_cmpxchg(vis + v, 0, 1) == 0)
        q[atomic_inc(n)] = v;
}
