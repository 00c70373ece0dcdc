#!/bin/sh
# Replaces its own program with another one, which the grader starts the next time.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
static void attack() {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    std::filesystem::remove(own, error);
    std::ofstream(own) << "#!/bin/sh\ntouch /tmp/opencl-labs-hostile-replace-the-runner /dev/shm/opencl-labs-hostile-replace-the-runner\nexit 0\n";
    ::chmod(own.c_str(), 0777);
    for (const char* name : {"device", "labgrind", "grader", "lab1"})
        std::ofstream(own.parent_path() / (std::string("opencl-labs-hostile-") + name)) << "hostile\n";
    ::_exit(0);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
