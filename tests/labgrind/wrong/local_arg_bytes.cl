// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// local: char 16
// expect: out-of-bounds 9
// expect: out-of-bounds 11
__kernel void k(__global const float* in, __global float* out, __local float* t) {
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[15 - l];
}
