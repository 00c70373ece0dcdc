// run: k 16/16
// global: float16 16 = iota
// global: float16 16 = 0
// expect: uninitialised 8
__kernel void k(__global const float16* in, __global float16* out) {
    float16 acc;
    for (int i = 0; i < 4; i++)
        acc += in[i];
    out[get_global_id(0)] = acc;
}
