// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 13
__kernel void k(__global const float* in, __global float* out) {
    __local float t[4][16];
    const int l = get_local_id(0);
    for (int r = 0; r < 4; r++)
        t[r][l] = in[r * 16 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int r = 0; r < 3; r++)
        s += t[r][l + 1];
    out[get_global_id(0)] = s;
}
