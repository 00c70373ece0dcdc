// Build options: COMBINE(a, b) is the operator, for float and float4 alike; IDENTITY is its identity.
// Exactly one of SUM, MINIMUM and MAXIMUM is defined.

__kernel void reduction_vector(__global const float4* data, __local float4* partial_results,
                               __global float4* output) {
    // not implemented yet: reduction_vector, the tree of lab 2, writes one float4 per group.
}

__kernel void reduction_complete(__global const float4* data, __local float4* partial_results,
                                 __global float* result) {
    // not implemented yet: reduction_complete, run by one work-group, writes one float.
}
