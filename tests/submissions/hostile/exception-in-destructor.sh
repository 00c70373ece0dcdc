#!/bin/sh
# A destructor throws while another exception is on its way.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <stdexcept>
namespace {
struct Thrower {
    ~Thrower() noexcept(false) { throw std::runtime_error("second"); }
};
} // namespace
static void attack() {
    const Thrower thrower;
    throw std::runtime_error("first");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
