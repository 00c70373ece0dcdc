// run: k 256/64
// global: ulong 2 = 0
// expect: nothing
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void k(__global ulong* a) {
    atom_add(a, (ulong)get_global_id(0));
    atom_max(a + 1, (ulong)get_global_id(0));
}
