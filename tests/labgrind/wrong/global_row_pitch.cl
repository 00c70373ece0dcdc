// run: k 20x8/4x4
// global: float 160 = iota
// global: float 160 = 0
// expect: out-of-bounds 8
__kernel void k(__global const float* in, __global float* out) {
    const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0),
              h = get_global_size(1);
    out[x * h + y] = in[x * w + y];
}
