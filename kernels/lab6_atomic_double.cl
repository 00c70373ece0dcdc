#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

void atomic_add_double(volatile __global double* address, double value) {
    // not implemented yet: atomic_add_double, compute old + value and try to put it there with
    // atom_cmpxchg, on the same 64 bits as a ulong, until no other work-item was faster
}

__kernel void sum_double(__global const double* data, uint n, volatile __global double* total) {
    const size_t gid = get_global_id(0);

    if (gid < n)
        atomic_add_double(total, data[gid]);
}
