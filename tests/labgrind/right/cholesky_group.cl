// run: chol 16x16/16x16
// global: float 256 = 1
// expect: nothing
__kernel void chol(__global float* A) {
    __local float s[16][17];
    int r = get_local_id(1), c = get_local_id(0);
    s[r][c] = A[r * 16 + c] + (r == c ? 20 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) {
        if (r == k && c == k)
            s[k][k] = sqrt(s[k][k]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c == k && r > k)
            s[r][k] /= s[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c > k && r >= c)
            s[r][c] -= s[r][k] * s[c][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    A[r * 16 + c] = c <= r ? s[r][c] : 0;
}
