// run: cv 64/16
// global: float 64 = iota
// global: float 5 = 1
// global: float 64 = 0
// expect: out-of-bounds 11
__kernel void cv(__global const float* in, __constant float* w, __global float* out) {
    const int i = get_global_id(0);
    float s = 0;
    for (int k = -2; k <= 2; k++)
        if (i + k >= 0 && i + k < 64)
            s += in[i + k] * w[k];
    out[i] = s;
}
