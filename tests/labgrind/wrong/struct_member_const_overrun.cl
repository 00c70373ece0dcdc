// run: k 32/32
// global: float 32 = iota
// global: float 32 = 0
// expect: out-of-bounds 14
typedef struct {
    float w[4];
    float bias;
} Cell;
__kernel void k(__global const float* in, __global float* out) {
    Cell c;
    c.bias = 1;
    for (int i = 0; i < 4; i++)
        c.w[i] = in[i];
    out[get_global_id(0)] = c.w[1] + c.w[2] + c.w[3] + c.w[4];
}
