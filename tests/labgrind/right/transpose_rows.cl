// run: k 16x4/8x2
// global: float 256 = iota
// global: float 256 = 0
// value: int 16
// expect: nothing
#define T 8
__kernel void k(__global const float* d, __global float* o, const int w) {
    __local float t[T * T];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * T + lx, y = get_group_id(1) * T + ly;
    for (int j = 0; j < T; j += 2)
        t[(ly + j) * T + lx] = d[(y + j) * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * T + lx;
    y = get_group_id(0) * T + ly;
    for (int j = 0; j < T; j += 2)
        o[(y + j) * w + x] = t[lx * T + ly + j];
}
