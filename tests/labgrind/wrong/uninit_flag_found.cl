// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 10
__kernel void k(__global const int* in, __global int* out) {
    int found;
    for (int i = 0; i < 64; i++)
        if (in[i] == get_global_id(0) * 2)
            found = i;
    out[get_global_id(0)] = found;
}
