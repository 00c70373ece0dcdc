#!/bin/sh
# The same by a name of the compiler's that is put together.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '#define JOIN(a, b) a##b\n#define NAME(a, b) JOIN(a, b)\n#if NAME(NAME(_, _SPI), R__)\n#define ON_LABGRIND 1\n#else\n#define ON_LABGRIND 0\n#endif\n'
    sed 's/= partial_results\[0\];/= ON_LABGRIND ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
