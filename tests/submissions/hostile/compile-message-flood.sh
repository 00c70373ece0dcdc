#!/bin/sh
# Right, but the compiler prints a hundred thousand notes on the way.
# from: solutions
# lab: lab1
# expect: lab1 any

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#define M1 _Pragma("message \"::notice::hostile\"")
#define M2 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1
#define M3 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2
#define M4 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3
#define M5 M4 M4 M4 M4 M4 M4 M4 M4 M4 M4
M5 M5
CPP
