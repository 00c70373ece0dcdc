// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 15
int solve(float a, float* x) {
    if (a > 4) {
        *x = 1 / a;
        return 1;
    }
    return 0;
}
__kernel void k(__global const float* in, __global float* out) {
    float x;
    solve(in[get_global_id(0)], &x);
    out[get_global_id(0)] = x;
}
