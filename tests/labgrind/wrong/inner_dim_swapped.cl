// run: k 16x16/8x4
// global: float 256 = iota
// global: float 256 = 0
// expect: out-of-bounds 10
__kernel void k(__global const float* in, __global float* out) {
    __local float t[4][8];
    const int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = in[get_global_id(1) * 16 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 16 + get_global_id(0)] = x < 4 ? t[x][y] : t[y][x - 4 + 7];
}
