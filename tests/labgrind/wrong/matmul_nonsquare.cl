// run: mm 32x24/8x8
// global: float 384 = iota
// global: float 512 = 1
// global: float 768 = 0
// value: int 16
// expect: out-of-bounds 11
__kernel void mm(__global const float* A, __global const float* B, __global float* C, int K) {
    const int gx = get_global_id(0), gy = get_global_id(1);
    float acc = 0;
    for (int k = 0; k < K; k++)
        acc += A[gx * K + k] * B[k * 32 + gy];
    C[gy * 32 + gx] = acc;
}
