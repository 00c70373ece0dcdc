// run: k 16/16
// global: float 16 = iota
// global: float 64 = 0
// expect: uninitialised 7
__kernel void k(__global const float* in, __global float* out) {
    float2 v;
    vstore2(v, get_global_id(0), out);
}
