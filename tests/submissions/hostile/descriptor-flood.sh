#!/bin/sh
# Opens as many files, sockets and pipes as it and the system can have.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
static void attack() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < 200000; ++i) {
        ::inotify_init();
        ::epoll_create1(0);
        int ends[2] = {};
        if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || ::open("/", O_RDONLY) < 0)
            break;
    }
    ::sleep(20);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
