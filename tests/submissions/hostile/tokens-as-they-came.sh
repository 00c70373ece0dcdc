#!/bin/sh
# The host returns its arguments as they are: hidden values that the grader turns back.
# from: starters
# lab: lab4
# expect: lab4 0

{
    cat "${0%/*}/parts/scan.inc"
    cat << 'CPP'
    return data;
}
CPP
} > labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
