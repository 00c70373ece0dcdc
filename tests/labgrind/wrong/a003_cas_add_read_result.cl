// run: sum 256/64
// global: float 256 = iota
// global: float 1 = 0
// global: float 1 = 0
// expect: data-race 16
void atomic_add_f(volatile __global float* p, float v) {
    uint old, next;
    do {
        old = as_uint(*p);
        next = as_uint(as_float(old) + v);
    } while (atomic_cmpxchg((volatile __global uint*)p, old, next) != old);
}
__kernel void sum(__global const float* data, volatile __global float* total, __global float* mean) {
    atomic_add_f(total, data[get_global_id(0)]);
    if (get_global_id(0) == get_global_size(0) - 1)
        mean[0] = *total / get_global_size(0);
}
