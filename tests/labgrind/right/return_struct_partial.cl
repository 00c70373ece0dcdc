// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
typedef struct {
    float4 a;
    float b[3];
} S;
S f(int x) {
    S s;
    s.b[1] = x;
    return s;
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    S s = f(g);
    S t = f(0);
    t = s;
    if (t.b[1] == g)
        o[g] = d[g];
}
