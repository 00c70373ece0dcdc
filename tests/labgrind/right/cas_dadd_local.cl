// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local double s;
    if (l == 0)
        s = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong o1, n;
    do {
        o1 = as_ulong(s);
        n = as_ulong(as_double(o1) + d[g]);
    } while (atom_cmpxchg((volatile __local ulong*)&s, o1, n) != o1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        o[get_group_id(0)] = s;
}
