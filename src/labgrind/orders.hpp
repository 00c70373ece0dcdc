#pragma once

#include "labgrind/rehearsal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace labgrind {

/// Orders of a launch's work-items that do not come to the results that are kept.
struct OtherOrders {
    std::vector<int> numbers;          ///< with other results, each with its own; a few of them
    std::optional<wire::Finding> hang; ///< of one that never ends
};

/// Tries orders in which one work-item or two stop for as long as others can go on, wherever that may
/// matter; orders that `seed` draws; one in which others are always faster; and one in which somebody
/// holds a lock for as long as a million tries take, if others count theirs.
OtherOrders find_other_orders(Rehearsal& rehearsal, std::uint64_t seed);

/// Who is stopped while it holds a lock, and who has given up waiting for it.
struct Standoff {
    std::optional<std::size_t> holder;
    std::optional<std::size_t> waiter;
    int line = 0; ///< where the holder is stopped; 0: unknown
};

/// How a launch went in one of them, and a hash of its results.
struct TriedOrder {
    vm::Played played;
    std::vector<vm::SurveyPolicy::Stop> stops; ///< where that is what the order is about
    bool starving = false; ///< others are always faster than the first work-item
    Standoff standoff;     ///< where that is what the order is about
    std::uint64_t results = 0;
};

/// Runs the order of this number, and keeps its results.
TriedOrder run_order(Rehearsal& rehearsal, std::uint64_t seed, int number);

/// What happens in an order with such results, in few words: who stops where, who goes on.
wire::Finding explain_order(Rehearsal& rehearsal, const TriedOrder& tried);

} // namespace labgrind
