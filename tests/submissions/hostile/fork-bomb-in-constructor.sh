#!/bin/sh
# Starts processes from a constructor, each in its own session, without waiting for any.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
__attribute__((constructor)) static void early() {
    for (int i = 0; i < 5000; ++i) {
        if (::fork() != 0)
            continue;
        ::setsid();
        ::prctl(PR_SET_NAME, "hostile-forkctor");
        std::signal(SIGTERM, SIG_IGN);
        std::signal(SIGHUP, SIG_IGN);
        ::alarm(120);
        for (volatile unsigned spin = 0;; ++spin) {
        }
    }
}
CPP
