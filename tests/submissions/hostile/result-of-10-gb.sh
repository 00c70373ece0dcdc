#!/bin/sh
# Gives a result of 10 GB.
# from: starters
# lab: lab4
# expect: lab4 0

cat > labs/lab4/hillis_steele_scan.cpp << 'CPP'
#include "lab4.hpp"

std::vector<cl_float> inclusive_scan(const Setup& /*setup*/, const std::vector<cl_float>& /*data*/, std::size_t /*work_group_size*/) {
    return std::vector<cl_float>(2500000000U, 1.0F);
}
CPP
