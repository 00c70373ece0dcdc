#!/bin/sh
# Throws exceptions whose text is not UTF-8, empty, or missing.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <exception>
#include <stdexcept>
namespace {
struct Speechless : std::exception {
    const char* what() const noexcept override { return nullptr; }
};
struct Astray : std::exception {
    const char* what() const noexcept override { return reinterpret_cast<const char*>(0x1000); }
};
} // namespace
static void attack() {
    static unsigned calls = 0;
    switch (calls++ % 4) {
    case 0:
        throw Speechless();
    case 1:
        throw std::runtime_error("\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80 \x80");
    case 2:
        throw std::runtime_error("");
    default:
        throw Astray();
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
