// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
typedef struct {
    char c;
    int v;
} S;
int one(S s) { return 1; }
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    S s;
    s.v = 3;
    int r = one(s) + (s.v > 2 ? one(s) : 0);
    if (one(s))
        o[g] = d[g] + r - 2;
}
