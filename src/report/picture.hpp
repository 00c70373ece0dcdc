#pragma once

#include "wire/trace.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace report {

/// A call on a small input, in enough detail for a picture.
struct Picture {
    struct Launch {
        wire::Trace trace;
        /// The accesses of a run with right results that makes the same ones in another order; empty:
        /// there is none.
        std::vector<wire::TracedAccess> expected;
        /// What elements of buffers should hold after the launch, as bits; only those that do not.
        std::map<wire::TracedElement, std::vector<std::uint64_t>> right;
        /// The buffer of each array of the trace: arrays of two launches with the same number share
        /// it. 0: local memory.
        std::vector<std::uint64_t> buffers;
        std::string file;                ///< the kernel file
        std::vector<std::string> source; ///< its lines; empty: they are not shown
    };
    /// An element of the result.
    struct Value {
        double expected = 0;
        double got = 0;
        bool wrong = false;
    };

    std::string title; ///< "lab 1, n = 11, work-group size 8"
    std::vector<Launch> launches;
    std::vector<Value> result;
    std::string message;      ///< what is wrong; "" if nothing is
    bool takes_turns = false; ///< the work-items take turns, in a schedule that shows a mistake
};

/// Whether `picture` shows a mistake: a wrong result, or an access that is one.
bool shows_mistake(const Picture& picture);

/// Returns the style sheet that is part of each picture.
const char* style_of_pictures();

/// Returns `picture` as a complete SVG image.
std::string to_svg(const Picture& picture);

} // namespace report
