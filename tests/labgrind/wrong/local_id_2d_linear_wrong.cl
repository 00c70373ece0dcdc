// run: k 16x16/8x4
// global: float 256 = iota
// global: float 256 = 0
// expect: data-race 8
__kernel void k(__global const float* in, __global float* out) {
    __local float t[32];
    const int l = get_local_id(1) * get_local_size(1) + get_local_id(0);
    t[l] = in[get_global_id(1) * 16 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 16 + get_global_id(0)] = t[l];
}
