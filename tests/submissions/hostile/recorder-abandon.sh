#!/bin/sh
# A kernel that writes outside its buffer, and a host that makes the harness drop what it has observed.
# from: solutions
# lab: lab1
# expect: lab1 below full

sed -i 's/^#include "lab1.hpp"/&\n#include "runner\/recorder.hpp"/; s/^    Reduction result{identity/    runner::recorder().abandon();\n&/' \
    labs/lab1/reduction_scalar.cpp
sed -i '/^#include "lab1.hpp"/r '"${0%/*}/parts/span.inc" labs/lab1/reduction_scalar.cpp
sed -i 's/^    if (lid == 0)/    output[get_num_groups(0) + lid] = 1.0f;\n&/' kernels/lab1_reduction_scalar.cl
