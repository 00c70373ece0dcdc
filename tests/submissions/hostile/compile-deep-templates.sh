#!/bin/sh
# A template without an end, as deep as the compiler goes, with names that double at each level.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

template <class A, class B> struct Pair {};
template <class T, int Depth> struct Grow {
    using type = typename Grow<Pair<T, T>, Depth + 1>::type;
};
using Bomb = Grow<int, 0>::type;
CPP
