#!/bin/sh
# Says not_implemented() with markup, and with the name of another file and an impossible line.
# from: starters
# lab: lab1
# expect: lab1 0

cat > labs/lab1/reduction_scalar.cpp << 'CPP'
#include "lab1.hpp"

std::size_t choose_work_group_size(const Setup& /*setup*/, const cl::Kernel& /*kernel*/) {
    not_implemented("<script>alert(1)</script>\n::error file=README.md,line=1::hostile\n]]>\x1b[31m", "/etc/passwd", -1);
}

Reduction reduce(const Setup& /*setup*/, const std::vector<cl_float>& /*data*/, Operator /*op*/) {
    not_implemented(std::string(5000000, '#'), "../../../../etc/shadow\n::error::x,line=7", 2147483647);
}
CPP
