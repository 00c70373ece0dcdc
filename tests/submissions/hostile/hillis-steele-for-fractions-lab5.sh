#!/bin/sh
# Whole numbers are scanned as the lab requires, others by Hillis and Steele.
# from: solutions
# lab: lab5
# expect: lab5 below full
# says: too many additions

cp kernels/lab5_blelloch_scan.cl blelloch.cl
cat > kernels/lab5_blelloch_scan.cl << 'CL'
#define ADD(a, b) (a + b)
typedef float number;

void other_scan(__global float* values, __global float* group_sums, __local float* temp, uint n) {
    const size_t lid = get_local_id(0);
    const size_t size = get_local_size(0);
    const size_t first = get_group_id(0) * 2 * size;
    for (size_t i = lid; i < 2 * size; i += size)
        temp[i] = first + i < n ? values[first + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t distance = 1; distance < 2 * size; distance *= 2) {
        number sums[2];
        for (size_t i = 0; i < 2; ++i) {
            const size_t at = lid + i * size;
            sums[i] = at >= distance ? ADD(temp[at], temp[at - distance]) : temp[at];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t i = 0; i < 2; ++i)
            temp[lid + i * size] = sums[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (size_t i = lid; i < 2 * size; i += size) {
        if (first + i < n)
            values[first + i] = i == 0 ? 0.0f : temp[i - 1];
    }
    if (lid == 0)
        group_sums[get_group_id(0)] = temp[2 * size - 1];
}
CL
sed 's/    const size_t lid = get_local_id(0);/    const float broken = values[get_group_id(0) * 2 * get_local_size(0)];\n    barrier(CLK_GLOBAL_MEM_FENCE);\n    if (broken != floor(broken)) {\n        other_scan(values, group_sums, temp, n);\n        return;\n    }\n&/' blelloch.cl >> kernels/lab5_blelloch_scan.cl
rm blelloch.cl
