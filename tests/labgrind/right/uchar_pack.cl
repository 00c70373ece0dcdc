// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    uint w;
    uchar* p = (uchar*)&w;
    p[0] = g;
    p[1] = 0;
    p[2] = 0;
    p[3] = 0;
    o[g] = w;
}
