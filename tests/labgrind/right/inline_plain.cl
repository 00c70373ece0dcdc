// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
inline float sq(float x) { return x * x; }
inline void store(__global float* o, int i, float v) { o[i] = v; }
__kernel void k(__global const float* d, __global float* o) {
    int g = get_global_id(0);
    store(o, g, sq(d[g]));
}
