// run: t 256/64
// global: float 256 = iota
// global: float 4 = 0
// expect: nothing
void add(volatile __global float* p, float v) {
    int old, seen = as_int(*p);
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile __global int*)p, old, as_int(as_float(old) + v));
    } while (seen != old);
}
__kernel void t(__global float* data, volatile __global float* s) {
    add(s, data[get_global_id(0)]);
}
