#!/bin/sh
# The right host code builds its own program from the kernels of the course's solution, which it
# reads from disk; its own kernel does nothing.
# from: solutions
# lab: lab4
# expect: lab4 0

course=$(cd "$(dirname "$0")/../../.." && pwd)
sed -i -e 's/^#include "lab4.hpp"/&\n#include <fstream>\n#include <iterator>/' \
    -e "s|^    const std::size_t bytes = .*|&\n    std::ifstream file(\"$course/solutions/kernels/lab4_hillis_steele_scan.cl\");\n    const std::string source{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};\n    Setup own = setup;\n    own.program = cl::Program(setup.context, source);\n    own.program.build({setup.device}, \"-cl-std=CL1.2\");|" \
    -e 's/^    scan_in_place(setup, values, data.size/    scan_in_place(own, values, data.size/' labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
