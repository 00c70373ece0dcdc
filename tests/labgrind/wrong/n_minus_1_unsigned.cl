// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// value: uint 256
// expect: out-of-bounds 9
__kernel void k(__global const float* in, __global float* out, uint n) {
    const uint i = get_global_id(0);
    float left = in[i > 0 ? i - 1 : 0];
    float right = in[i + 1 <= n ? i + 1 : n - 1];
    out[i] = left + right;
}
