// run: mm 16x16/8x8
// global: float 144 = iota
// global: float 144 = 1
// global: float 144 = 0
// value: int 12
// expect: out-of-bounds 14
// expect: out-of-bounds 15
__kernel void mm(__global const float* A, __global const float* B, __global float* C, int n) {
    __local float a[8][8], b[8][8];
    const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0),
              gy = get_global_id(1);
    float acc = 0;
    for (int t = 0; t < n; t += 8) {
        a[y][x] = A[gy * n + t + x];
        b[y][x] = B[(t + y) * n + gx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            acc += a[y][k] * b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gx < n && gy < n)
        C[gy * n + gx] = acc;
}
