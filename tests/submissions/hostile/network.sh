#!/bin/sh
# Connects to machines, services and sockets near and far, looks up names, and listens itself.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <arpa/inet.h>
#include <cstring>
#include <initializer_list>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static void attack() {
    for (const char* address : {"127.0.0.1", "1.1.1.1", "169.254.169.254", "10.0.0.1"})
        for (const int port : {22, 53, 80, 443, 2375, 8080}) {
            for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
                const int fd = ::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
                sockaddr_in to{};
                to.sin_family = AF_INET;
                to.sin_port = htons(static_cast<unsigned short>(port));
                ::inet_pton(AF_INET, address, &to.sin_addr);
                ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to);
                ::send(fd, "hostile", 7, MSG_NOSIGNAL);
                ::close(fd);
            }
        }
    for (const char* path : {"/var/run/docker.sock", "/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/tmp/.X11-unix/X0", "@/tmp/dbus"}) {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        std::strncpy(to.sun_path, path, sizeof to.sun_path - 1);
        if (path[0] == '@')
            to.sun_path[0] = '\0';
        ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to);
        ::send(fd, "GET /containers/json HTTP/1.0\r\n\r\n", 34, MSG_NOSIGNAL);
    }
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_port = htons(46464);
    ::bind(fd, reinterpret_cast<sockaddr*>(&own), sizeof own);
    ::listen(fd, 10);
    ::socket(AF_PACKET, SOCK_RAW, 0);
    ::socket(AF_NETLINK, SOCK_RAW, 0);
    addrinfo* found = nullptr;
    ::getaddrinfo("hostile.example.com", "80", nullptr, &found);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
