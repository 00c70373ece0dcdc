#!/bin/sh
# Sends a forged answer from within the function, and then never returns.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc"
    cat << 'CPP'
#include "wire/channel.hpp"
#include "wire/messages.hpp"
#include <unistd.h>
static void attack() {
    wire::CallReply reply;
    reply.outcome = wire::Outcome::returned;
    reply.result_size = 16;
    reply.launches.push_back({"reduction_scalar", {1280, 1, 1}, {128, 1, 1}, 512, 1000});
    reply.reads = {40};
    wire::Channel line{wire::UniqueFd(::dup(3))};
    line.send(wire::encode(wire::Reply{reply}));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
