// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: nothing
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_global_int32_extended_atomics : enable
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((vec_type_hint(int))) void
k(__global const int* restrict d, volatile __global int* o) {
    int v = d[get_global_id(0)];
    atom_min(&o[0], v);
    atom_max(&o[1], v);
    atom_add(&o[2], v);
    (void)atom_inc(&o[3]);
}
