// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 13
typedef struct {
    float v[4];
    float n;
} Row;
__kernel void k(__global const float* in, __global float* out) {
    Row r;
    r.n = 4;
    for (int i = 0; i <= 4; i++)
        r.v[i] = in[get_global_id(0)];
    out[get_global_id(0)] = r.v[0] / r.n;
}
