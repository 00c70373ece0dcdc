#!/bin/sh
# The kernels of lab 6 run, but what is returned was computed by the host.
# from: solutions
# lab: lab6
# expect: lab6 0

sed -i -e 's/^    return summary;/    summary = {0, 0, std::numeric_limits<cl_int>::min(), -1};\n    for (std::size_t i = 0; i < data.size(); ++i) {\n        ++summary.count;\n        summary.sum += data[i];\n        if (data[i] > summary.maximum) {\n            summary.maximum = data[i];\n            summary.position = static_cast<cl_int>(i);\n        }\n    }\n&/' \
    -e 's/^    return sum;/    sum = 0;\n    for (const cl_double value : data)\n        sum += value;\n&/' labs/lab6/lock.cpp
