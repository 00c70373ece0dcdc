#!/bin/sh
# Brings links to everywhere: loops, the root, secrets, the course, into the result.
# from: solutions
# lab: lab1
# expect: lab1 full

course=$(cd "$(dirname "$0")/../../.." && pwd)
ln -s . labs/loop
ln -s .. labs/lab1/up
ln -s / labs/lab1/root
ln -s /etc/passwd labs/lab1/passwd.cpp
ln -s /etc/shadow kernels/shadow.cl
ln -s /proc/self/environ kernels/environ.cl
ln -s "$course/solutions" solutions
ln -s "$course/Makefile" Makefile
ln -s /tmp/opencl-labs-hostile-extra-links result.json
ln -s /tmp/opencl-labs-hostile-extra-links build
ln -s nowhere labs/lab1/nowhere.cpp
ln -s self labs/self
