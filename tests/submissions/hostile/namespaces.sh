#!/bin/sh
# Creates its own namespaces, mounts over folders, changes its root and makes devices.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
static void mark(const std::string& name) {
    const char* home = std::getenv("HOME");
    for (const std::string folder : {"/tmp", "/var/tmp", "/dev/shm", "..", "../..", home == nullptr ? "/root" : home})
        std::ofstream(folder + "/opencl-labs-hostile-" + name) << name << "\n";
}
static void attack() {
    const std::string uid = std::to_string(::getuid());
    ::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC);
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " + uid + " 1";
    ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    ::mount("tmpfs", "/tmp", "tmpfs", 0, nullptr);
    ::mount("/", "/mnt", nullptr, MS_BIND | MS_REC, nullptr);
    ::mount("proc", "/proc", "proc", 0, nullptr);
    ::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr);
    ::umount2("/tmp", MNT_DETACH);
    ::umount2("/home", MNT_DETACH);
    ::mknod("/tmp/opencl-labs-hostile-namespaces-disk", S_IFBLK | 0666, makedev(8, 0));
    ::mknod("/dev/shm/opencl-labs-hostile-namespaces-mem", S_IFCHR | 0666, makedev(1, 1));
    for (const char* fd : {"..", "../..", "../../../../../../../.."})
        static_cast<void>(!::chroot(fd));
    mark("namespaces");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
