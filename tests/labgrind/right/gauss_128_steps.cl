// run: gauss 128/128
// global: float 16384 = 1
// expect: nothing
#define N 128
__kernel void gauss(__global float* A) {
    int r = get_local_id(0);
    A[r * N + r] += (float)N;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int k = 0; k < N; ++k) {
        float f = 0.0f;
        if (r > k)
            f = A[r * N + k] / A[k * N + k];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (r > k)
            for (int c = k; c < N; ++c)
                A[r * N + c] -= f * A[k * N + c];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
