// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 10
__kernel void k(__global const int* in, __global int* out) {
    int pos;
    for (int i = 0; i < 64; i++)
        if (in[i] == get_global_id(0) + 1)
            pos = i;
    out[pos] = get_global_id(0);
}
