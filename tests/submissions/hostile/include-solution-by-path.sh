#!/bin/sh
# Includes the host code of the course's solution by paths that lead there from many places.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

cat > labs/lab1/reduction_scalar.cpp << 'CPP'
#if __has_include("../../solutions/labs/lab1/reduction_scalar.cpp")
#include "../../solutions/labs/lab1/reduction_scalar.cpp"
#elif __has_include("../../../solutions/labs/lab1/reduction_scalar.cpp")
#include "../../../solutions/labs/lab1/reduction_scalar.cpp"
#elif __has_include("../../../../solutions/labs/lab1/reduction_scalar.cpp")
#include "../../../../solutions/labs/lab1/reduction_scalar.cpp"
#elif __has_include("../../../../../solutions/labs/lab1/reduction_scalar.cpp")
#include "../../../../../solutions/labs/lab1/reduction_scalar.cpp"
#elif __has_include("../solutions/labs/lab1/reduction_scalar.cpp")
#include "../solutions/labs/lab1/reduction_scalar.cpp"
#elif __has_include("solutions/labs/lab1/reduction_scalar.cpp")
#include "solutions/labs/lab1/reduction_scalar.cpp"
#elif __has_include(<../solutions/labs/lab1/reduction_scalar.cpp>)
#include <../solutions/labs/lab1/reduction_scalar.cpp>
#else
#error hostile: no solution found
#endif
CPP
