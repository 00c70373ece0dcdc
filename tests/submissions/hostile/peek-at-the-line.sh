#!/bin/sh
# A thread looks at all that the grader sends before the harness does, and removes every other message.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <sys/socket.h>
#include <thread>
static void attack() {
    std::thread([] {
        static char bytes[1 << 20];
        for (unsigned i = 0;; ++i)
            if (::recv(3, bytes, sizeof bytes, i % 2 == 0 ? MSG_PEEK : 0) <= 0)
                return;
    }).detach();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
