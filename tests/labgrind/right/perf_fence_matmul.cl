// run: k 64x64/16x16
// global: float 4096 = 1
// global: float 4096 = 1
// global: float 4096 = 0
// expect: nothing
// a fence in front of everything, as students put one
__kernel void k(__global const float* a, __global const float* b, __global float* c) {
    int x = get_global_id(0), y = get_global_id(1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    float s = 0;
    for (int i = 0; i < 64; i++)
        s += a[y * 64 + i] * b[i * 64 + x];
    c[y * 64 + x] = s;
}
