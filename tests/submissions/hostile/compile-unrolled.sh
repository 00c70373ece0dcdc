#!/bin/sh
# Code that takes the optimizer forever: a huge function of branches and vectors.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#pragma GCC optimize("O3,unroll-all-loops,inline-limit=100000000")
#define X1 for (int i = 0; i < n; ++i) { if (n % (i + 2) == 1) goto *places[n & 3]; n ^= i * n; switch (n & 7) { case 0: n += 3; case 1: n *= 5; break; case 2: n -= i; default: n = ~n; } }
#define X2 X1 X1 X1 X1 X1 X1 X1 X1 X1 X1
#define X3 X2 X2 X2 X2 X2 X2 X2 X2 X2 X2
#define X4 X3 X3 X3 X3 X3 X3 X3 X3 X3 X3
#define X5 X4 X4 X4 X4 X4 X4 X4 X4 X4 X4
unsigned long slow(unsigned long m) {
    int n = static_cast<int>(m);
    void* places[] = {&&a, &&b, &&c, &&d};
a:
    X4
b:
    X5
c:
    X5
d:
    X5
    return static_cast<unsigned long>(n);
}
CPP
