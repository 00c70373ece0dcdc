#!/bin/sh
# Specialises the harness's templates, so that the linker takes these in the place of its own: whatever
# the function gives is right, and whatever it changes is unchanged.
# from: starters
# lab: lab2
# expect: lab2 0

cat "${0%/*}/parts/span.inc" > labs/lab2/reduction_vector.cpp
cat >> labs/lab2/reduction_vector.cpp << 'CPP'
#include "lab2.hpp"

#include "runner/bind.hpp"

template <> std::vector<std::byte> runner::to_bytes<cl_float>(const cl_float& value) {
    std::vector<std::byte> bytes(sizeof value);
    const cl_float lie = value + 1;
    std::memcpy(bytes.data(), &lie, sizeof lie);
    return bytes;
}

template <> bool runner::Parameter<std::vector<cl_float>>::same(const std::vector<cl_float>& /*values*/, Bytes /*bytes*/) {
    return true;
}

cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op, std::size_t /*work_group_size*/) {
    cl::Kernel(setup.program, "reduction_vector");
    auto& changed = const_cast<std::vector<cl_float>&>(data);
    cl_float all = identity(op);
    for (cl_float& value : changed) {
        all = combine(op, all, value);
        value = 0;
    }
    return all - 1;
}
CPP
