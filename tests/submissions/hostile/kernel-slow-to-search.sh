#!/bin/sh
# A wrong kernel in a file that has its name fifty thousand times, where a definition is looked for.
# from: starters
# lab: lab2
# expect: lab2 0

sed -i 's/not implemented yet://' kernels/lab2_reduction_vector.cl
{
    printf '#if 0\n'
    head -c 900000 /dev/zero | tr '\0' 'x' | sed 's/xxxxxxxxxxxxxxxxxx/reduction_vector (/g'
    printf '\n#endif\n'
    cat kernels/lab2_reduction_vector.cl
} > hostile.tmp
mv hostile.tmp kernels/lab2_reduction_vector.cl
sed -i 's/^    not_implemented(.*/    return 0;/' labs/lab2/reduction_vector.cpp
