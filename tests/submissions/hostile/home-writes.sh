#!/bin/sh
# Leaves code that runs later: in shells' settings, crontabs, keys, autostart, git's settings.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
static void mark(const std::string& name) {
    const char* home = std::getenv("HOME");
    for (const std::string folder : {"/tmp", "/var/tmp", "/dev/shm", "..", "../..", home == nullptr ? "/root" : home})
        std::ofstream(folder + "/opencl-labs-hostile-" + name) << name << "\n";
}
static void attack() {
    const char* home = std::getenv("HOME");
    for (const std::string folder : {home == nullptr ? "/root" : home, "/root", "/home/runner", "/github/home"}) {
        std::error_code error;
        for (const char* name : {".ssh", ".config/autostart", ".local/bin", ".config/pocl", ".config/systemd/user"})
            std::filesystem::create_directories(folder + "/" + name, error);
        for (const char* name : {".bashrc", ".profile", ".ssh/authorized_keys", ".gitconfig", ".pam_environment", ".config/autostart/hostile.desktop",
                                 ".local/bin/opencl-labs-hostile", ".config/systemd/user/hostile.service"})
            std::ofstream(folder + "/" + name, std::ios::app) << "# opencl-labs-hostile-home-writes\n";
    }
    for (const char* name : {"/etc/cron.d/opencl-labs-hostile", "/var/spool/cron/crontabs/root", "/etc/OpenCL/vendors/opencl-labs-hostile.icd",
                             "/etc/ld.so.preload", "/etc/profile.d/opencl-labs-hostile.sh", "/github/env", "/github/path"})
        std::ofstream(name, std::ios::app) << "# opencl-labs-hostile-home-writes\n";
    for (const char* name : {"GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"})
        if (const char* file = std::getenv(name))
            std::ofstream(file, std::ios::app) << "result=e30=\n";
    static_cast<void>(!std::system("echo '# opencl-labs-hostile' | crontab - < /dev/null; at now + 1 minute < /dev/null"));
    mark("home-writes");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
