// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: out-of-bounds 7
__kernel void k(__global const int* in, __global int* out) {
    const int i = get_global_id(0);
    out[i] = in[(i - 5) % 64];
}
