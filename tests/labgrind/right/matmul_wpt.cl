// run: k 16x8/8x4
// global: float 256 = iota
// global: float 256 = iota
// global: float 256 = 0
// value: int 16
// expect: nothing
__kernel void k(__global const float* A, __global const float* Bm, __global float* o, int n) {
    __local float a[8][8], b[8][8];
    int c = get_local_id(0), r = get_local_id(1);
    int gc = get_global_id(0), gr = get_group_id(1) * 8 + r;
    float s[2] = {0, 0};
    for (int t = 0; t < n / 8; t++) {
        for (int w = 0; w < 2; w++) {
            a[r + 4 * w][c] = A[(gr + 4 * w) * n + t * 8 + c];
            b[r + 4 * w][c] = Bm[(t * 8 + r + 4 * w) * n + gc];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; j++)
            for (int w = 0; w < 2; w++)
                s[w] = fma(a[r + 4 * w][j], b[j][c], s[w]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < 2; w++)
        o[(gr + 4 * w) * n + gc] = s[w];
}
