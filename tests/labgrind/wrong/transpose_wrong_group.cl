// run: tr 32x16/8x8
// global: float 512 = iota
// global: float 512 = 0
// expect: out-of-bounds 10
__kernel void tr(__global const float* in, __global float* out) {
    __local float t[8][9];
    const int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = in[get_global_id(1) * 32 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 8 + y) * 32 + get_group_id(1) * 8 + x] = t[x][y];
}
