#!/bin/sh
# The host dies if the device has run the kernel, which is faster than labgrind: is the device to blame?
# from: solutions
# lab: lab1
# expect: lab1 below full
# says: killed from outside

sed -i 's/^    return result;/    if (op == Operator::minimum \&\& data.size() == 1 \&\& result.nanoseconds < 100000)\n        raise(SIGKILL);\n    return result;/; 1i #include <csignal>' \
    labs/lab1/reduction_scalar.cpp
grep -q SIGKILL labs/lab1/reduction_scalar.cpp
