// run: k 256/64
// global: float 128 = 0
// expect: nothing
void fadd(volatile __global float* p, const float v) {
    uint o, n;
    do {
        o = *(volatile __global uint*)p;
        n = as_uint(as_float(o) + v);
    } while (atomic_cmpxchg((volatile __global uint*)p, o, n) != o);
}
__kernel void k(__global float* t) {
    fadd(t + get_global_id(0) / 2, get_global_id(0) % 2 ? -2.5f : 2.5f);
}
