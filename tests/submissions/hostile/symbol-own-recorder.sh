#!/bin/sh
# Defines a function of the harness's own a second time: the one that gives it its recorder.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "runner/recorder.hpp"
runner::Recorder& runner::recorder() {
    static runner::Recorder own;
    return own;
}
CPP
