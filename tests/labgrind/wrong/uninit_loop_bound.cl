// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 7
__kernel void k(__global const int* in, __global int* out) {
    int n, s = 0;
    for (int i = 0; i < n; i++)
        s += in[i];
    out[get_global_id(0)] = s;
}
