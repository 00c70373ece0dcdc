// run: k 256/64
// global: float 256 = iota
// global: float 1 = 0
// expect: nothing
inline void add_local(volatile __local float* p, float v) {
    union {
        uint u;
        float f;
    } o, n;
    do {
        o.f = *p;
        n.f = o.f + v;
    } while (atomic_cmpxchg((volatile __local uint*)p, o.u, n.u) != o.u);
}
inline void add_global(volatile __global float* p, float v) {
    union {
        uint u;
        float f;
    } o, n;
    do {
        o.f = *p;
        n.f = o.f + v;
    } while (atomic_cmpxchg((volatile __global uint*)p, o.u, n.u) != o.u);
}
__kernel void k(__global const float* d, volatile __global float* o) {
    __local float s;
    if (get_local_id(0) == 0)
        s = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    add_local(&s, d[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        add_global(o, s);
}
