// run: k 64/16
// global: int 64 = iota
// global: int 16 = 0
// expect: uninitialised 9
__kernel void k(__global const int* in, __global int* hist) {
    int b;
    if (in[get_global_id(0)] >= 16)
        b = in[get_global_id(0)] / 4;
    atomic_inc(&hist[b]);
}
