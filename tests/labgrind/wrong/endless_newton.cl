// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: endless-loop 7
__kernel void k(__global const float* in, __global float* out) {
    float v = in[get_global_id(0)] + 2, x = v, d = 1;
    while (d > 1e-9f || d < -1e-9f) {
        float nx = 0.5f * (x + v / x) + 1e-4f;
        d = nx * nx - v;
        x = nx;
    }
    out[get_global_id(0)] = x;
}
