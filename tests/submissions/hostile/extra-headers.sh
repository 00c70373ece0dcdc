#!/bin/sh
# Brings headers that lie where the compiler looks first, each of which breaks or turns the build.
# from: solutions
# lab: lab1
# expect: lab1 full

mkdir -p labs/lab1/CL labs/CL labs/lab1/runner labs/runner labs/lab1/doctest labs/lab1/bits
for name in labs/lab1/lab1.hpp labs/reduction.hpp labs/lab1/reduction.hpp labs/lab1/doctest.h labs/lab1/doctest/doctest.h \
    labs/lab1/CL/opencl.hpp labs/CL/opencl.hpp labs/CL/cl.h labs/lab1/vector labs/vector labs/string labs/lab1/runner/lab.hpp \
    labs/runner/lab.hpp labs/lab1/bits/c++config.h labs/lab1/stdc-predef.h stdc-predef.h; do
    printf '#error hostile: %s\n' "$name" > "$name"
done
