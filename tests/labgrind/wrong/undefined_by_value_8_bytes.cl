// run: k 16/16
// global: float 16 = iota
// global: float 16 = 0
// expect: uninitialised 20
typedef struct {
    float lo, hi;
} P;
P comb(P a, P b) {
    P r;
    r.lo = fmin(a.lo, b.lo);
    r.hi = fmax(a.hi, b.hi);
    return r;
}
__kernel void k(__global const float* in, __global float* out) {
    P p, q;
    p.lo = in[get_global_id(0)];

    q = p;
    p = comb(p, q);
    out[get_global_id(0)] = p.hi - p.lo;
}
