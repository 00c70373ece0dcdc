#!/bin/sh
# The starters without not_implemented() and without the comments about it: they do nothing.
# from: starters
# lab: lab4
# expect: lab4 0

sed -i 's/^    not_implemented(.*/    return data;/' labs/lab4/hillis_steele_scan.cpp
sed -i 's/not implemented yet:/done:/' kernels/lab4_hillis_steele_scan.cl
