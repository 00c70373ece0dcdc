#!/bin/sh
# Writes to every descriptor that the program was given, in case a result file is among them.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstring>
#include <unistd.h>
static void attack() {
    const char* text = "{\"schema\": \"opencl-labs/result/v1\", \"lab\": \"lab1\", \"score\": 16, \"max_score\": 16, \"cases\": []}\n";
    for (int fd = 5; fd < 4096; ++fd) {
        ::lseek(fd, 0, SEEK_SET);
        static_cast<void>(!::write(fd, text, std::strlen(text)));
        static_cast<void>(!::ftruncate(fd, static_cast<off_t>(std::strlen(text))));
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
