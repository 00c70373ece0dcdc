// run: k 256/64
// global: float 4 = 0
// global: float 256 = iota
// expect: nothing
void fadd(volatile __global float* p, const float v) {
    union {
        uint u;
        float f;
    } n, e, c;
    c.f = *p;
    do {
        e.f = c.f;
        n.f = e.f + v;
        c.u = atomic_cmpxchg((volatile __global uint*)p, e.u, n.u);
    } while (c.u != e.u);
}
__kernel void k(__global float* t, __global const float* d) {
    fadd(t + get_global_id(0) % 4, d[get_global_id(0)]);
}
