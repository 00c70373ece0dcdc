#!/bin/sh
# Brings further sources beside the student's: one ends the program, another one defines everything twice.
# from: solutions
# lab: lab1
# expect: lab1 full

printf '#include <unistd.h>\n__attribute__((constructor)) static void early() { ::_exit(0); }\n' > labs/lab1/zz_more.cpp
cp labs/lab1/reduction_scalar.cpp labs/lab1/reduction_again.cpp
printf 'int main() { return 0; }\n' > labs/lab1/main.cpp
printf '#error hostile\n' > labs/lab1/broken.cpp
printf '.globl main\nmain: ret\n' > labs/lab1/more.S
printf '#error hostile\n' > kernels/lab1_more.cl
printf '#error hostile\n' > kernels/lab1.cl
