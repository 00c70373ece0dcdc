// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// value: int 64
// expect: out-of-bounds 8
__kernel void k(__global const float* in, __global float* out, int n) {
    int j = get_global_id(0);
    while (in[j] < 1000 && j < n)
        j++;
    out[get_global_id(0)] = j;
}
