// run: t 256/64
// global: float 256 = iota
// write-only: float 256
// expect: nothing
__kernel void t(__global const float* in, __global float* out) {
    out[get_global_id(0)] = 2 * in[get_global_id(0)];
}
