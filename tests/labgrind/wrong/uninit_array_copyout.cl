// run: k 16/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 10
__kernel void k(__global const float* in, __global float* out) {
    float v[4];
    for (int i = 1; i < 4; i++)
        v[i] = in[get_global_id(0) * 4 + i];
    for (int i = 0; i < 4; i++)
        out[get_global_id(0) * 4 + i] = v[i];
}
