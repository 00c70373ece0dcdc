#!/bin/sh
# Makes system calls that no lab needs: keys, tracing, the kernel's own programs, the host's name.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static void attack() {
    char attributes[128] = {};
    attributes[4] = sizeof attributes;
    ::syscall(SYS_add_key, "user", "opencl-labs-hostile", "x", 1, KEY_SPEC_USER_KEYRING);
    ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, "opencl-labs-hostile");
    ::syscall(SYS_bpf, 0, attributes, sizeof attributes);
    ::syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
    ::syscall(SYS_userfaultfd, 0);
    ::syscall(SYS_io_uring_setup, 8, attributes);
    ::syscall(SYS_personality, 0x0040000);
    ::syscall(SYS_sethostname, "hostile", 7);
    ::syscall(SYS_syslog, 5, nullptr, 0);
    ::syscall(SYS_acct, "/tmp/opencl-labs-hostile-system-calls");
    ::syscall(SYS_quotactl, 0, nullptr, 0, nullptr);
    ::syscall(SYS_open_by_handle_at, 0, attributes, 0);
    ::syscall(SYS_fanotify_init, 0, 0);
    ::syscall(SYS_setns, 3, 0);
    ::syscall(SYS_iopl, 3);
    ::syscall(SYS_pidfd_getfd, 3, 1, 0);
    ::syscall(SYS_memfd_secret, 0);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
