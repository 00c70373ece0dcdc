// run: k 256/64
// global: float 256 = 0
// expect: nothing
typedef struct {
    int n;
    float v[4];
    char c;
} P;
float use(P a, __private float* q, __private float* r) {
    if (q == r)
        return -1;
    return a.v[0] + a.n + *q;
}
__kernel void k(__global float* o) {
    P p;
    p.n = 3;
    p.v[0] = get_local_id(0);
    float q = 1, r = 2;
    P z;
    z = p;
    o[get_global_id(0)] = use(z, &q, &r) + use(p, &r, &q);
}
