// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 10
__constant float w[3] = {1, 2, 1};
__kernel void k(__global const float* in, __global float* out) {
    const int i = get_global_id(0);
    float s = 0;
    for (int d = -1; d <= 1; d++)
        s += in[clamp(i + d, 0, 63)] * w[d + 2];
    out[i] = s;
}
