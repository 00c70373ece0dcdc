// run: t 256/64
// global: float 256 = iota
// global: float 4 = 0
// expect: no-retry 7
void add(volatile __global float* p, float v) {
    int old = as_int(*p);
    atomic_cmpxchg((volatile __global int*)p, old, as_int(as_float(old) + v));
}
__kernel void t(__global float* data, volatile __global float* s) {
    add(s, data[get_global_id(0)]);
}
