// run: st 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: uninitialised 11
__kernel void st(__global const float* in, __global float* out) {
    __local float t[10][10];
    const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, x = get_global_id(0),
              y = get_global_id(1);
    t[ly][lx] = in[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = t[ly][lx] + t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx];
}
