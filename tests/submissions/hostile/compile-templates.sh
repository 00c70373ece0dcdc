#!/bin/sh
# Templates that make two different ones each, thirty deep: a billion classes.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

template <unsigned long Path, int Depth> struct Tree {
    static constexpr unsigned long value = Tree<2 * Path, Depth - 1>::value + Tree<2 * Path + 1, Depth - 1>::value;
};
template <unsigned long Path> struct Tree<Path, 0> {
    static constexpr unsigned long value = Path;
};
static const unsigned long bomb = Tree<1, 30>::value;
CPP
