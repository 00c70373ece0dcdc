// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 10
__kernel void k(__global const float* in, __global float* out) {
    __local float t[16];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = (t[l - 1] + t[l]) / 2;
}
