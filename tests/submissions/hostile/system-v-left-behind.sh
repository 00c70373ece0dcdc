#!/bin/sh
# Leaves shared memory, semaphores and message queues of System V behind, which outlive their process.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstring>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
static void attack() {
    const int id = ::shmget(0x686f7374, 1 << 20, IPC_CREAT | 0666);
    void* memory = ::shmat(id, nullptr, 0);
    if (memory != reinterpret_cast<void*>(-1))
        std::memset(memory, 'x', 1 << 20);
    ::semget(0x686f7374, 10, IPC_CREAT | 0666);
    ::msgget(0x686f7374, IPC_CREAT | 0666);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
