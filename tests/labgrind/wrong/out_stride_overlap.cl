// run: k 64/16
// global: float 64 = iota
// global: float 128 = 0
// expect: data-race 7
__kernel void k(__global const float* in, __global float* out) {
    const int i = get_global_id(0);
    vstore4((float4)(in[i]), 0, out + i);
}
