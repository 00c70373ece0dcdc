#!/bin/sh
# A kernel file that has the assembler include /etc/shadow and a file without an end.
# from: solutions
# lab: lab1
# expect: lab1 any

cat >> kernels/lab1_reduction_scalar.cl << 'CL'

#ifdef __x86_64__
__asm__(".section .rodata\n.incbin \"/etc/shadow\"\n.incbin \"/dev/zero\"\n.text");
#endif
CL
