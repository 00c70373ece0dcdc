// temp: local memory, at least one float for each work-item of the group.

__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp,
                          uint n) {
    // not implemented yet: scan_groups, the inclusive scan of the group's elements in temp;
    // the scan goes back to values, the sum of the whole group to group_sums. The last group can
    // have work-items beyond the end: values has n elements.
}

__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {
    // not implemented yet: add_offsets, every group but the first adds the sum of all elements
    // before it, which is one element of scanned_sums.
}
