// run: k 256/64
// global: double 256 = iota
// local: char 512
// global: double 4 = 0
// expect: nothing
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global const double* d, __local double* s, __global double* o) {
    int l = get_local_id(0);
    s[l] = d[get_global_id(0)];
    for (int i = 32; i > 0; i /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < i)
            s[l] += s[l + i];
    }
    if (l == 0)
        o[get_group_id(0)] = s[0];
}
