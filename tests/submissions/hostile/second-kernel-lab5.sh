#!/bin/sh
# The kernel adds only for show; another one, in groups of one work-item, scans sixteen numbers per group.
# from: solutions
# lab: lab5
# expect: lab5 below full
# says: do not share them within their groups

cat > kernels/lab5_blelloch_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {
    const float mine = get_global_id(0) < n ? values[get_global_id(0)] : 0.0f;
    temp[get_local_id(0)] = mine + mine;
    temp[get_local_id(0)] += mine;
}

__kernel void scan_some(__global float* values, __global float* sums, uint n) {
    float sum = 0.0f;
    for (uint i = 16 * get_global_id(0); i < min(16 * (uint)get_global_id(0) + 16, n); ++i) {
        const float value = values[i];
        values[i] = sum;
        sum += value;
    }
    sums[get_global_id(0)] = sum;
}

__kernel void add_offsets(__global float* values, __global const float* sums, uint n) {
    if (get_global_id(0) < n)
        values[get_global_id(0)] += sums[get_global_id(0) / 16];
}
CL
cat > labs/lab5/some.inc << 'CPP'
void scan_some(const Setup& setup, const cl::Buffer& values, std::size_t n) {
    const std::size_t parts = (n + 15) / 16;
    const cl::Buffer sums(setup.context, CL_MEM_READ_WRITE, parts * sizeof(cl_float));
    cl::Kernel scan(setup.program, "scan_some");
    scan.setArg(0, values);
    scan.setArg(1, sums);
    scan.setArg(2, static_cast<cl_uint>(n));
    setup.queue.enqueueNDRangeKernel(scan, cl::NullRange, cl::NDRange(parts), cl::NDRange(1));
    if (parts == 1)
        return;
    scan_some(setup, sums, parts);
    cl::Kernel add(setup.program, "add_offsets");
    add.setArg(0, values);
    add.setArg(1, sums);
    add.setArg(2, static_cast<cl_uint>(n));
    setup.queue.enqueueNDRangeKernel(add, cl::NullRange, cl::NDRange(n), cl::NDRange(1));
}
CPP
sed -i -e '/^namespace {/r labs/lab5/some.inc' -e 's/    if (groups == 1)/    scan_some(setup, values, n);\n    if (groups != 0)/' labs/lab5/*.cpp
rm labs/lab5/some.inc
