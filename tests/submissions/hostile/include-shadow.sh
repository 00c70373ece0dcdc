#!/bin/sh
# Includes what only root may read, and the keys of the user who grades.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#if __has_include("/root/.ssh/id_ed25519")
#include "/root/.ssh/id_ed25519"
#endif
#if __has_include("/root/.bashrc")
#include "/root/.bashrc"
#endif
#include "/etc/shadow"
CPP
