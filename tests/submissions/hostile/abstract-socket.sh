#!/bin/sh
# Listens on an abstract socket, which is in no folder, and sends its descriptors to any process that already
# listens there.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static void attack() {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path + 1, "opencl-labs-hostile-abstract-socket", sizeof name.sun_path - 2);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0) {
        const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
        ::bind(listener, reinterpret_cast<sockaddr*>(&name), sizeof name);
        ::listen(listener, 10);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
