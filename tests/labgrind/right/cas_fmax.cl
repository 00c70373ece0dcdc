// run: k 256/64
// global: float 1 = 0
// global: float 256 = iota
// expect: nothing
void fm(volatile __global float* p, float v) {
    uint o = as_uint(*p);
    while (as_float(o) < v) {
        uint c = atomic_cmpxchg((volatile __global uint*)p, o, as_uint(v));
        if (c == o)
            break;
        o = c;
    }
}
__kernel void k(__global float* t, __global const float* d) { fm(t, d[get_global_id(0)]); }
