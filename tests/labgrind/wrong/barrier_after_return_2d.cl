// run: k 16x16/8x8
// global: float 196 = iota
// global: float 196 = 0
// expect: divergent-barrier 11
__kernel void k(__global const float* in, __global float* out) {
    __local float t[8][8];
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= 14 || y >= 14)
        return;
    t[get_local_id(1)][get_local_id(0)] = in[y * 14 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 14 + x] = t[get_local_id(1)][get_local_id(0)];
}
