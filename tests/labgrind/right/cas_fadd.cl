// run: k 256/64
// global: float 1 = 0
// global: float 256 = iota
// expect: nothing
void fadd(volatile __global float* p, float v) {
    union {
        uint u;
        float f;
    } o, n;
    do {
        o.f = *p;
        n.f = o.f + v;
    } while (atomic_cmpxchg((volatile __global uint*)p, o.u, n.u) != o.u);
}
__kernel void k(__global float* t, __global const float* d) { fadd(t, d[get_global_id(0)]); }
