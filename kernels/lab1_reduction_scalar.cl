// Build options: COMBINE(a, b) is the operator (a + b for the sum), IDENTITY its identity. Exactly
// one of SUM, MINIMUM and MAXIMUM is defined.

__kernel void reduction_scalar(__global const float* data, __local float* partial_results,
                               __global float* output) {
    // not implemented yet: every work-item copies its element of data to local memory,
    // the group combines them in a tree, and work-item 0 writes the group's result to output.
}
