// run: k 256/64
// global: float 256 = 0
// expect: nothing
typedef struct {
    float4 a;
    int b;
    short c;
} P;
typedef struct {
    P p[2];
    uchar u;
} Q;
void fill(__private Q* q, int x) {
    q->p[0].a = (float4)(x);
    q->p[0].b = x;
    q->p[1] = q->p[0];
    q->p[1].c = 2;
}
__kernel void k(__global float* o) {
    __local Q lq[64];
    Q q;
    int l = get_local_id(0);
    fill(&q, l);
    lq[l] = q;
    barrier(CLK_LOCAL_MEM_FENCE);
    Q r = lq[63 - l];
    o[get_global_id(0)] = r.p[1].a.z + r.p[0].b + r.p[1].c;
}
