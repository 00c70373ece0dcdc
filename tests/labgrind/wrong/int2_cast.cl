// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: out-of-bounds 7
__kernel void k(__global const int* in, __global int* out) {
    __global const int2* p = (__global const int2*)in;
    int2 v = p[get_global_id(0)];
    out[get_global_id(0)] = v.x + v.y;
}
