// run: k 8x8x4/4x4x4
// global: float 256 = 0
// expect: nothing
__kernel void k(__global float* o) {
    __local float t[4][4][4];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    t[z][y][x] = x + 4 * y + 16 * z;
    barrier(CLK_LOCAL_MEM_FENCE);
    int g = get_group_id(0) + 2 * get_group_id(1) + 4 * get_group_id(2) * 0;
    o[g * 64 + x + 4 * y + 16 * z] = t[3 - z][3 - y][3 - x];
}
