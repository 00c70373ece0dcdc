#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

void atomic_add_double(volatile __global double* address, double value) {
    // [student] atomic_add_double, compute old + value and try to put it there with
    // | atom_cmpxchg, on the same 64 bits as a ulong, until no other work-item was faster
    volatile __global ulong* bits = (volatile __global ulong*)address;
    ulong seen = *bits;
    ulong assumed;
    do {
        assumed = seen;
        seen = atom_cmpxchg(bits, assumed, as_ulong(as_double(assumed) + value));
    } while (seen != assumed); // another work-item was faster: try again with the new value
    // [end]
}

__kernel void sum_double(__global const double* data, uint n, volatile __global double* total) {
    const size_t gid = get_global_id(0);

    if (gid < n)
        atomic_add_double(total, data[gid]);
}
