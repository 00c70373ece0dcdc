#pragma once

#include "labgrind/rehearsal.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace labgrind {

/// The drawn orders of a launch's work-items, by number from 1, that make something else of its
/// buffers than the results that are kept; a few of them, no two with the same results. `seed` says
/// which orders are drawn.
std::vector<int> find_other_orders(Rehearsal& rehearsal, std::uint64_t seed);

/// How a launch went in a drawn order, and a hash of its results.
struct DrawnOrder {
    vm::Played played;
    std::uint64_t results = 0;
};

/// Runs the drawn order of this number, and keeps its results.
DrawnOrder run_drawn_order(Rehearsal& rehearsal, std::uint64_t seed, int number);

/// What happens in an order with such results, in few words: who stops where, who goes on.
wire::Finding explain_order(Rehearsal& rehearsal, const DrawnOrder& drawn);

} // namespace labgrind
