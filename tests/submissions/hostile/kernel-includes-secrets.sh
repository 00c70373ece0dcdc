#!/bin/sh
# The kernel file includes passwords, environments and what has no end.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
#include "/etc/passwd"
#include "/etc/shadow"
#include "/proc/self/environ"
#include "/proc/1/environ"
#include "/dev/zero"
CL
