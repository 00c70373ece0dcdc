#!/bin/sh
# Right, but changes its input on the way.
# from: solutions
# lab: lab4
# expect: lab4 0
# says: changed its input

sed -i 's/^    return result;/    const_cast<std::vector<cl_float>\&>(data).assign(data.size() + 7, 0.0F);\n&/' labs/lab4/hillis_steele_scan.cpp
