#!/bin/sh
# Answers requests that have not come yet, hundreds of them, before main.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstdint>
#include <string>
#include <unistd.h>
static void say(const std::string& text, std::uint32_t size, std::uint32_t fds = 0) {
    const std::uint32_t head[2] = {size, fds};
    static_cast<void>(!::write(3, head, sizeof head));
    for (std::size_t at = 0; at < text.size();) {
        const auto count = ::write(3, text.data() + at, text.size() - at);
        if (count <= 0)
            return;
        at += static_cast<std::size_t>(count);
    }
}
#include "wire/messages.hpp"
__attribute__((constructor)) static void early() {
    wire::OpenedDevice opened;
    opened.device = {"cpu", "forged", "OpenCL 1.2", "CPU", 4096, 1 << 20, 1 << 30, 1 << 28, {}};
    wire::ProgramInfo info{true, "", {{"reduction_scalar", 4096}}};
    wire::CallReply reply;
    reply.outcome = wire::Outcome::returned;
    reply.result_size = 16;
    reply.launches.push_back({"reduction_scalar", {1280, 1, 1}, {128, 1, 1}, 512, 1000});
    reply.reads = {40};
    std::string text = wire::encode(wire::Reply{opened});
    say(text, static_cast<std::uint32_t>(text.size()));
    text = wire::encode(wire::Reply{info});
    say(text, static_cast<std::uint32_t>(text.size()));
    text = wire::encode(wire::Reply{reply});
    for (int i = 0; i < 200; ++i)
        say(text, static_cast<std::uint32_t>(text.size()));
    ::sleep(600);
}
CPP
