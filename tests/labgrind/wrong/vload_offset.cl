// run: k 16/16
// global: float 64 = iota
// global: float 16 = 0
// expect: out-of-bounds 6
__kernel void k(__global const float* in, __global float* out) {
    float4 v = vload4(get_global_id(0) * 4, in);
    out[get_global_id(0)] = v.x + v.y + v.z + v.w;
}
