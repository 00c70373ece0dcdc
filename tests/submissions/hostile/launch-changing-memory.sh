#!/bin/sh
# Changes the memory of a launch while it is executed, even the words beside pointers.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
#include <thread>
static void attack() {
    const wire::UniqueFd memory = wire::create_shared_memory("launch", 4096);
    auto* words = static_cast<volatile unsigned*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0));
    std::thread([words] {
        for (unsigned i = 0;; ++i)
            words[i % 1024] = i * 2654435761U;
    }).detach();
    for (int i = 0; i < 100; ++i)
        hand_over(plain_launch(), memory);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
