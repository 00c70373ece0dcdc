// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
typedef struct {
    char c;
    int v;
    float4 f;
} S;
int f(S s, __global float* p, __global float* q) {
    if (p == q)
        return 7;
    for (int i = 0; i < s.v; i++)
        if (p == q)
            return 8;
    return s.v;
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    S s;
    s.v = l;
    int r = f(s, o, o + 1);
    o[g] = r - l + d[g];
}
