// Build options: COMBINE(a, b) is the operator, for float and float4 alike; IDENTITY is its identity.
// Exactly one of SUM, MINIMUM and MAXIMUM is defined.

__kernel void reduction_vector(__global const float4* data, __local float4* partial_results,
                               __global float* output) {
    // not implemented yet: the tree of lab 1 with float4 in local memory; in the end work-item 0
    // combines the four lanes of partial_results[0] into the one float of the group.
}
