#!/bin/sh
# Hands over a launch with made-up pointers where the kernel wants buffers.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
#include <cstdint>
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    const wire::UniqueFd memory = wire::create_shared_memory("launch", 4096);
    auto* words = static_cast<std::uint64_t*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0));
    for (std::size_t i = 0; i < 512; ++i)
        words[i] = i % 2 == 0 ? 0x0000400000001000U : 0xFFFFFFFFFFFFFFF8U;
    for (wire::LaunchArgument& argument : launch.arguments) {
        argument.kind = wire::LaunchArgument::Kind::value;
        argument.bytes.size = 8;
    }
    hand_over(launch, memory);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
