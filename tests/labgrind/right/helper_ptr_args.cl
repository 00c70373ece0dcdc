// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
typedef struct {
    __global const float* d;
    __local float* s;
    int l, n;
} Ctx;
float tree(Ctx* c) {
    for (int i = c->n / 2; i; i /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c->l < i)
            c->s[c->l] += c->s[c->l + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return c->s[0];
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[64];
    Ctx c;
    c.d = d;
    c.s = s;
    c.l = l;
    c.n = 64;
    s[l] = c.d[g];
    float r = tree(&c);
    if (l == 0)
        o[get_group_id(0)] = r;
}
