#!/bin/sh
# The kernel file includes the course's solution by paths that lead there from many places.
# from: solutions
# lab: lab2
# expect: lab2 0

{
    for path in solutions/kernels ../solutions/kernels ../../solutions/kernels ../../../solutions/kernels ../../../../solutions/kernels; do
        printf '#if __has_include("%s/lab2_reduction_vector.cl")\n#define FOUND\n#include "%s/lab2_reduction_vector.cl"\n#endif\n' "$path" "$path"
    done
    printf '#ifndef FOUND\n#error hostile: no solution found\n#endif\n'
} > kernels/lab2_reduction_vector.cl
