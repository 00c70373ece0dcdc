// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
void f(float* a, float* b, int* n) {
    *a = 1;
    *b = 2;
    *n = 3;
}
void rd(const float4* v, float* r) { *r = v->x; }
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float a, b;
    int n;
    f(&a, &b, &n);
    float4 v;
    v.x = d[g];
    float r;
    rd(&v, &r);
    o[g] = r + a + b - n;
}
