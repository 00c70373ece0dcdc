#!/bin/sh
# Sends thousands of descriptors that no message announces, a few with every byte.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdint>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>
static void attack() {
    const std::uint32_t head[2] = {64U << 20, 0};
    static_cast<void>(!::write(3, head, sizeof head));
    for (int i = 0; i < 20000; ++i) {
        char byte = ' ';
        iovec piece{&byte, 1};
        alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(4 * sizeof(int));
        const int fds[4] = {0, 1, 3, 4};
        std::memcpy(CMSG_DATA(rights), fds, sizeof fds);
        ::sendmsg(3, &message, MSG_NOSIGNAL);
    }
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
