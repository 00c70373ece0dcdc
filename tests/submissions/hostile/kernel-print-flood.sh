#!/bin/sh
# A right kernel in which every work-item prints a thousand lines of workflow commands.
# from: solutions
# lab: lab2
# expect: lab2 any

sed -i 's/^__kernel void reduction_vector(/void noise(void) {\n    for (int i = 0; i < 1000; ++i)\n        printf("\\n::error::hostile %d\\n##[error]x", i);\n}\n\n&/; s/^    if (get_local_id(0) == 0)/    noise();\n&/' kernels/lab2_reduction_vector.cl
sed -i 's/^    if (lid == 0)/    noise();\n&/' kernels/lab2_reduction_vector.cl
