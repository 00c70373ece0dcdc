#!/bin/sh
# The program's own sendmsg(), which the loader prefers to libc's, turns every reported failure into a success
# of the same length.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
extern "C" ssize_t sendmsg(int fd, const struct msghdr* message, int flags) {
    if (fd == 3 && message->msg_iovlen == 1) {
        const auto change = [&](const std::string& from, const std::string& to) {
            void* at = ::memmem(message->msg_iov->iov_base, message->msg_iov->iov_len, from.data(), from.size());
            if (at != nullptr)
                std::memcpy(at, to.data(), from.size());
        };
        change("\"outcome\":\"not_implemented\"", "\"outcome\":\"returned\"       ");
        change("\"outcome\":\"exception\"", "\"outcome\":\"returned\" ");
        change("\"result_size\":0,", "\"result_size\":8,");
        change("\"launches\":[]", "\"launches\": []");
    }
    return ::syscall(SYS_sendmsg, fd, message, flags);
}
static void attack() {}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
