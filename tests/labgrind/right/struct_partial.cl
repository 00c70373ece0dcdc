// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
typedef struct {
    float a, b;
    float4 c;
} S;
S mk(float x) {
    S s;
    s.a = x;
    s.c.x = x;
    return s;
}
float get(S s) { return (s.a + s.c.x) / 2; }
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    S s = mk(d[g]);
    S arr[3];
    arr[1] = s;
    __local S ls[64];
    ls[l] = arr[1];
    S t;
    t = ls[l];
    o[g] = get(t);
}
