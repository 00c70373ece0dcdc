#!/bin/sh
# Compiler errors that are workflow commands, markup and escapes.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#error ::error file=README.md,line=1::hostile ##[error]x <script>alert(1)</script> ]]> ``` | {{7*7}}
_Pragma("GCC error \"\\n::set-output name=result::e30=\\n##[error]y\"")
#line 7 "::error file=x,line=1::"
static_assert(false, "\n::stop-commands::hostile\n</pre><script>");
int héhé_\u202e = unknown_::error::x;
CPP
