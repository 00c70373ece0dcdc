#!/bin/sh
# Hands over launches with a pipe, a folder, a device and the connection itself in place of memory.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    int pipe[2] = {};
    static_cast<void>(!::pipe(pipe));
    for (const int fd : {pipe[0], ::open("/", O_RDONLY), ::open("/dev/zero", O_RDWR), ::open("/proc/self/mem", O_RDWR),
                         ::open("/dev/full", O_RDWR), ::open("/proc/self/exe", O_RDONLY | O_PATH), ::dup(3)})
        hand_over(plain_launch(), wire::UniqueFd(fd));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
