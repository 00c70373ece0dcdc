#pragma once

/// What the contestants on OpenCL share.

#include "bench/labs.hpp"
#include "bench/peer.hpp"
#include "bench/watch.hpp"

namespace bench {

/// Times a call whose result is there, or whose queue is finished, when it returns. A library that leaves
/// the device alone, as some do with small inputs, is timed on the host.
template <class Call> std::function<Times(std::size_t)> watched(const Call& call) {
    return each([call] {
        watch().start();
        Times times;
        times.wall = seconds(call);
        const double span = watch().stop().span;
        times.device = span > 0 ? span : times.wall;
        return times;
    });
}

} // namespace bench
