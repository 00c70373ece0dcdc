#!/bin/sh
# Redefines the harness's function that returns its recorder.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

cat "${0%/*}/parts/span.inc" >> labs/lab1/reduction_scalar.cpp
cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "runner/recorder.hpp"
runner::Recorder& runner::recorder() {
    static runner::Recorder own;
    return own;
}
CPP
