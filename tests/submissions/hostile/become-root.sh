#!/bin/sh
# Tries to become root: set-uid calls, sudo and su, and leaves a file where only root may write.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <fstream>
#include <grp.h>
#include <sys/fsuid.h>
#include <unistd.h>
static void mark(const std::string& name) {
    const char* home = std::getenv("HOME");
    for (const std::string folder : {"/tmp", "/var/tmp", "/dev/shm", "..", "../..", home == nullptr ? "/root" : home})
        std::ofstream(folder + "/opencl-labs-hostile-" + name) << name << "\n";
}
static void attack() {
    static_cast<void>(::setresuid(0, 0, 0));
    static_cast<void>(::setresgid(0, 0, 0));
    static_cast<void>(::setgroups(0, nullptr));
    ::setfsuid(0);
    static_cast<void>(!std::system("sudo -n touch /opencl-labs-hostile-become-root /tmp/opencl-labs-hostile-become-root < /dev/null;"
                                   "su -c 'touch /opencl-labs-hostile-become-root' < /dev/null;"
                                   "doas -n touch /opencl-labs-hostile-become-root < /dev/null;"
                                   "pkexec touch /opencl-labs-hostile-become-root < /dev/null"));
    std::ofstream("/etc/opencl-labs-hostile-become-root") << "hostile\n";
    std::ofstream("/usr/local/bin/opencl-labs-hostile-become-root") << "hostile\n";
    mark("become-root");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
