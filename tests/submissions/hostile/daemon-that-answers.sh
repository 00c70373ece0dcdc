#!/bin/sh
# Ends itself, and a process that it leaves behind answers the grader a second later.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc"
    cat << 'CPP'
#include "wire/channel.hpp"
#include "wire/messages.hpp"
#include <sys/prctl.h>
#include <unistd.h>
static void attack() {
    if (::fork() != 0)
        ::_exit(0);
    ::setsid();
    ::prctl(PR_SET_NAME, "hostile-answer");
    ::sleep(1);
    wire::CallReply reply;
    reply.outcome = wire::Outcome::returned;
    reply.result_size = 16;
    reply.launches.push_back({"reduction_scalar", {1280, 1, 1}, {128, 1, 1}, 512, 1000});
    wire::Channel line{wire::UniqueFd(3)};
    for (int i = 0; i < 100; ++i)
        line.send(wire::encode(wire::Reply{reply}));
    ::_exit(0);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
