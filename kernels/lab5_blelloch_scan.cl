// Each work-item takes two elements: a group of m work-items scans 2 m elements. temp: local memory,
// at least one float for each element of the group.

__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp,
                          uint n) {
    // not implemented yet: scan_groups, up-sweep and down-sweep in temp; the exclusive scan goes
    // back to values, the sum of the whole group to group_sums. The last group can reach beyond
    // the end of the data: values has n elements.
}

__kernel void add_offsets(__global float* values, __global const float* offsets, uint n) {
    // not implemented yet: add_offsets: add offsets[g] to every element of group g.
}
