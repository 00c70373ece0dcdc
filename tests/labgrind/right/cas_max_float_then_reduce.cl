// run: k 256/64
// global: float 256 = iota
// global: int 1 = 0
// global: float 1 = 0
// expect: nothing
// minimum/maximum by compare-and-swap and a float sum by compare-and-swap: rounding depends on the order
void fmax_at(volatile __global int* p, float v) {
    int old = *p;
    while (as_float(old) < v) {
        int seen = atomic_cmpxchg(p, old, as_int(v));
        if (seen == old)
            return;
        old = seen;
    }
}
void fadd_at(volatile __global float* p, float v) {
    float old, now;
    do {
        old = *p;
        now = old + v;
    } while (atomic_cmpxchg((volatile __global int*)p, as_int(old), as_int(now)) != as_int(old));
}
__kernel void k(__global const float* d, volatile __global int* best,
                volatile __global float* sum) {
    float v = d[get_global_id(0)] * 0.1f;
    fmax_at(best, v);
    fadd_at(sum, v);
}
