#!/bin/sh
# Right, but the compiler's notes and warnings are workflow commands.
# from: solutions
# lab: lab1
# expect: lab1 full

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#pragma message "::error file=README.md,line=1::hostile"
#pragma message "##[error]<script>alert(1)</script>]]>"
#warning ::stop-commands::hostile
_Pragma("GCC warning \"::set-output name=result::e30=\"")
CPP
