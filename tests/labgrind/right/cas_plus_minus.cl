// run: k 256/64
// global: float 1 = 0
// expect: nothing
__kernel void k(volatile __global float* t) {
    volatile __global uint* p = (volatile __global uint*)t;
    float v = get_global_id(0) % 2 ? -1.0f : 1.0f;
    uint o;
    do {
        o = *p;
    } while (atomic_cmpxchg(p, o, as_uint(as_float(o) + v)) != o);
}
