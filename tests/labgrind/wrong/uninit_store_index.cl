// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 9
__kernel void k(__global const int* in, __global int* out) {
    int pos;
    if (in[get_global_id(0)] > 10)
        pos = get_global_id(0);
    out[pos] = 1;
}
