// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: data-race 7
__kernel void k(__global const float* in, __global float* out) {
    __local float c;
    float s = sincos(in[get_global_id(0)], &c);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s + c;
}
