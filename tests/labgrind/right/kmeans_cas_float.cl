// run: k 256/64
// global: float 256 = iota
// global: float 4 = 0
// global: int 4 = 0
// global: int 1 = 1000000000
// expect: nothing
// sums by compare-and-swap with a rounding that depends on the order, and the least distance of all
void add(volatile __global float* p, float v) {
    union {
        uint u;
        float f;
    } o, n;
    do {
        o.f = *p;
        n.f = o.f + v;
    } while (atomic_cmpxchg((volatile __global uint*)p, o.u, n.u) != o.u);
}
__kernel void k(__global const float* x, volatile __global float* sum, volatile __global int* count,
                volatile __global int* least) {
    float v = x[get_global_id(0)] / 3.0f;
    int c = get_global_id(0) % 4;
    add(&sum[c], v);
    atomic_inc(&count[c]);
    float dist = fabs(v - 40.0f);
    int seen = *least, old;
    do {
        old = seen;
        if (as_float(old) <= dist)
            break;
        seen = atomic_cmpxchg(least, old, as_int(dist));
    } while (seen != old);
}
