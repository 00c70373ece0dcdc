#!/bin/sh
# exit(0) in the function, and an atexit handler that sends the grader a forged answer.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc"
    cat << 'CPP'
#include "wire/channel.hpp"
#include "wire/messages.hpp"
#include <cstdlib>
#include <unistd.h>
static void attack() {
    std::atexit([] {
        wire::CallReply reply;
        reply.outcome = wire::Outcome::returned;
        reply.result_size = 16;
        reply.launches.push_back({"reduction_scalar", {1280, 1, 1}, {128, 1, 1}, 512, 1000});
        wire::Channel line{wire::UniqueFd(::dup(3))};
        line.send(wire::encode(wire::Reply{reply}));
        ::_exit(0);
    });
    std::exit(0);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
