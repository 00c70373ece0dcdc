// run: t 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: barrier-flag 9
__kernel void t(__global float* m, __global float* o) {
    __local float tile[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = m[get_global_id(1) * 16 + get_global_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[get_global_id(1) * 16 + get_global_id(0)] = tile[x][y];
}
