// run: k 64/16
// global: int 64 = iota
// global: int 64 = iota
// global: float 64 = 1
// global: float 64 = 1
// global: float 64 = 0
// expect: out-of-bounds 12
__kernel void k(__global const int* rowptr, __global const int* col, __global const float* val,
                __global const float* x, __global float* y) {
    const int r = get_global_id(0);
    float s = 0;
    for (int j = rowptr[r]; j < rowptr[r + 1]; j++)
        s += val[j] * x[col[j]];
    y[r] = s;
}
