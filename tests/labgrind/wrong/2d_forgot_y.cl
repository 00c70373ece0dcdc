// run: bl 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: data-race 7
__kernel void bl(__global const float* in, __global float* out) {
    __local float t[64];
    t[get_local_id(0)] = in[get_global_id(1) * 16 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 16 + get_global_id(0)] = t[get_local_id(0)];
}
