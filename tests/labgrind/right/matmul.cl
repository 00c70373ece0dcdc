// run: k 16x16/8x8
// global: float 256 = iota
// global: float 256 = iota
// global: float 256 = 0
// value: int 16
// expect: nothing
__kernel void k(__global const float* A, __global const float* Bm, __global float* o, int n) {
    __local float a[8][8], b[8][8];
    int c = get_local_id(0), r = get_local_id(1);
    int gc = get_global_id(0), gr = get_global_id(1);
    float s = 0;
    for (int t = 0; t < n / 8; t++) {
        a[r][c] = A[gr * n + t * 8 + c];
        b[r][c] = Bm[(t * 8 + r) * n + gc];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; j++)
            s += a[r][j] * b[j][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[gr * n + gc] = s;
}
