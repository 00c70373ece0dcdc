#!/bin/sh
# Brings folders and files that no user may read, set-uid programs, and a folder without write permission.
# from: solutions
# lab: lab1
# expect: lab1 full

mkdir -p locked labs/lab1/locked
: > labs/lab1/secret.cpp
chmod 000 labs/lab1/secret.cpp
chmod 000 locked labs/lab1/locked
cp /bin/true labs/lab1/setuid
chmod 6755 labs/lab1/setuid labs/lab1/reduction_scalar.cpp
chmod 444 kernels/lab1_reduction_scalar.cl
