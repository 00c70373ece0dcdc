// run: k 256/64
// global: float 256 = iota
// expect: nothing
__kernel void k(__global float* o) {
    int g = get_global_id(0), n = get_global_size(0);
    if (g < n / 2) {
        float t = o[g];
        o[g] = o[n - 1 - g];
        o[n - 1 - g] = t;
    }
}
