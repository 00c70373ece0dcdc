#pragma once

/// Code that the OpenCL contestants share.

#include "bench/labs.hpp"
#include "bench/peer.hpp"
#include "bench/watch.hpp"

namespace bench {

/// Times a call that returns after its result is available or its queue is finished. A library that
/// does not use the device, as some do not for small inputs, is timed on the host.
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
