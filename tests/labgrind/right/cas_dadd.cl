// run: k 256/64
// global: double 1 = 0
// global: float 256 = iota
// expect: nothing
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
void dadd(volatile __global double* p, double v) {
    union {
        ulong u;
        double f;
    } o, n;
    do {
        o.f = *p;
        n.f = o.f + v;
    } while (atom_cmpxchg((volatile __global ulong*)p, o.u, n.u) != o.u);
}
__kernel void k(__global double* t, __global const float* d) { dadd(t, d[get_global_id(0)]); }
