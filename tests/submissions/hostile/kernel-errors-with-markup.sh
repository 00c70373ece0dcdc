#!/bin/sh
# A kernel that does not compile; its errors quote workflow commands, markup and other files' names.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
#error ::error file=/etc/passwd,line=1::hostile ##[error]x <script>alert(1)</script> ]]>
#line 1 "/etc/passwd"
int ::error::a = "<script>]]>";
#line 2147483647 "::error::\n##[error]"
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) { undeclared(); }
CL
