// The scan is built for two kinds of elements:
//
//     TYPE      COMBINE(first, second)     IDENTITY
//     uint      first + second             0
//     float2    compose(first, second)     the map that changes nothing
//
// A float2 (a, b) is the map from x to a * x + b. COMBINE(left, right) and COMBINE(right, left) are
// different maps.

__kernel void mark(__global const float* data, __global uint* marks, uint n) {
    // not implemented yet: mark, 1 for an element above 0, 0 for any other
}

// `scanned_marks` is the inclusive scan of the marks.
__kernel void scatter(__global const float* data, __global const uint* scanned_marks,
                      __global float* result, uint n) {
    // not implemented yet: scatter, each element above 0 goes to its place in result.
    // Its place is the number of elements above 0 before it.
}

// The map that applies `first` and then `second`.
float2 compose(float2 first, float2 second) {
    float2 both = first;
    // not implemented yet: compose, second(first(x)) = both.x * x + both.y
    return both;
}

// The step from v(i) to v(i + 1) as a map.
__kernel void make_maps(__global const float* lambda, __global const float* u,
                        __global float2* maps, uint n) {
    // not implemented yet: make_maps, (1 - lambda) * x + lambda * u as a map of x
}

// `scanned_maps` is the inclusive scan of the maps: its element i takes v(0) to v(i + 1).
__kernel void apply_maps(__global const float2* scanned_maps, float start, __global float* v,
                         uint n) {
    // not implemented yet: apply_maps, each map of the scan applied to start
}

__kernel void scan_groups(__global TYPE* values, __global TYPE* group_sums, __local TYPE* temp,
                          uint n) {
    // not implemented yet: scan_groups, that of lab 4 with COMBINE and IDENTITY.
    // The element that is further left is `first`.
}

__kernel void combine_offsets(__global TYPE* values, __global const TYPE* scanned_sums, uint n) {
    // not implemented yet: combine_offsets, add_offsets of lab 4 with COMBINE.
    // One element of scanned_sums is the combination of all groups before this one.
}
