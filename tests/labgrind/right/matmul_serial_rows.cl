// run: k 64/16
// global: float 4096 = 1
// global: float 4096 = 2
// global: float 4096 = 0
// value: int 64
// expect: nothing
__kernel void k(__global const float* a, __global const float* b, __global float* c, int n) {
    int i = get_global_id(0);
    for (int j = 0; j < n; j++) {
        float t = 0;
        for (int kk = 0; kk < n; kk++)
            t += a[i * n + kk] * b[kk * n + j];
        c[i * n + j] = t;
    }
}
