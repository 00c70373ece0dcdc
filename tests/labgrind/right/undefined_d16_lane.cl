// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    double16 v;
    v.s0 = d[g];
    o[g] = v.s0;
}
