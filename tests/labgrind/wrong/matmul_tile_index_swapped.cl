// run: mm 32x32/8x8
// global: float 1024 = iota
// global: float 1024 = 1
// global: float 1024 = 0
// expect: out-of-bounds 13
// expect: out-of-bounds 14
__kernel void mm(__global const float* A, __global const float* B, __global float* C) {
    __local float a[8][8], b[8][8];
    const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0),
              gy = get_global_id(1);
    float acc = 0;
    for (int t = 0; t <= 32; t += 8) {
        a[y][x] = A[gy * 32 + t + x];
        b[y][x] = B[(t + y) * 32 + gx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            acc += a[y][k] * b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[gy * 32 + gx] = acc;
}
