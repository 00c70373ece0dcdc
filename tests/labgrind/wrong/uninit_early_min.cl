// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 8
__kernel void k(__global const float* in, __global float* out) {
    float best;
    for (int i = 0; i < 8; i++)
        best = fmin(best, in[i]);
    out[get_global_id(0)] = best;
}
