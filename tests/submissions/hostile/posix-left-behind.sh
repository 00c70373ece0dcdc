#!/bin/sh
# Leaves shared memory, semaphores and message queues of POSIX behind, which outlive their process.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>
static void attack() {
    const int fd = ::shm_open("/opencl-labs-hostile-posix", O_CREAT | O_RDWR, 0666);
    static_cast<void>(!::ftruncate(fd, 1 << 20));
    static_cast<void>(!::pwrite(fd, "hostile", 7, 0));
    ::sem_open("/opencl-labs-hostile-posix", O_CREAT, 0666, 1);
    ::mq_open("/opencl-labs-hostile-posix", O_CREAT | O_RDWR, 0666, nullptr);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
