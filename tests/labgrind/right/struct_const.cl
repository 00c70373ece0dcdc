// run: k 256/64
// global: float 256 = iota
// global: float 3 = 1
// global: float 256 = 0
// expect: nothing
__constant float W[3] = {0.25f, 0.5f, 0.25f};
__kernel void k(__global const float* d, __constant float* c, __global float* o) {
    int g = get_global_id(0);
    float s = 0;
    for (int i = -1; i <= 1; i++) {
        int x = clamp(g + i, 0, 255);
        s += W[i + 1] * d[x] * c[i + 1];
    }
    o[g] = s;
}
