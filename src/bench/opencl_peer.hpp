#pragma once

/// What the contestants on OpenCL share.

#include "bench/labs.hpp"
#include "bench/peer.hpp"
#include "bench/watch.hpp"

namespace bench {

/// Times a call whose result is there, or whose queue is finished, when it returns.
template <class Call> std::function<Times(std::size_t)> watched(const Call& call) {
    return each([call] {
        watch().start();
        Times times;
        times.wall = seconds(call);
        times.device = watch().stop().span;
        return times;
    });
}

} // namespace bench
