#!/bin/sh
# Kills its parent and all processes above it.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <fstream>
#include <string>
#include <unistd.h>
static void attack() {
    for (pid_t pid = ::getppid(); pid > 1;) {
        ::kill(pid, SIGKILL);
        std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
        std::string text;
        std::getline(stat, text);
        const auto state = text.rfind(") ");
        pid = state == std::string::npos ? 0 : std::stoi(text.substr(state + 4));
    }
    ::sleep(5);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
