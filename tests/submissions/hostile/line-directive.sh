#!/bin/sh
# Claims with #line that its code is in another file, whose name is a workflow command, and crashes there.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#line 1 "/labs/\n::error file=x,line=1::hostile\n##[error]<script>"
__attribute__((noinline)) static void crash() {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}
__attribute__((constructor)) static void early() { crash(); }
#line 1 "/etc/passwd"
CPP
