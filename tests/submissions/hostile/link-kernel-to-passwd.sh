#!/bin/sh
# The student's kernel file is a link to /etc/passwd, whose lines errors would quote.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: link

ln -sf /etc/passwd kernels/lab1_reduction_scalar.cl
