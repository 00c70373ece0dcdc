// run: k 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// value: int 16
// value: int 16
// expect: nothing
#define T 8
__kernel void k(__global const float* d, __global float* o, int w, int h) {
    __local float t[T][T + 1];
    int x = get_group_id(0) * T + get_local_id(0), y = get_group_id(1) * T + get_local_id(1);
    if (x < w && y < h)
        t[get_local_id(1)][get_local_id(0)] = d[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * T + get_local_id(0);
    y = get_group_id(0) * T + get_local_id(1);
    if (x < h && y < w)
        o[y * h + x] = t[get_local_id(0)][get_local_id(1)];
}
