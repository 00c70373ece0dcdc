#pragma once

#include "labgrind/replay.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace labgrind {

/// Schedules of a launch whose results differ from those that are kept.
struct OtherOrders {
    std::vector<int> numbers; ///< a few schedules, each with different results
    /// For a schedule that never ends, or in which a work-item leaves its buffers.
    std::optional<wire::Finding> mistake;
};

/// Tries schedules of these kinds:
/// - One or two work-items stop for as long as others can run, at every place where that may matter.
/// - Every work-item stops when it comes to one instruction.
/// - The writes of one instruction take effect late, and perhaps one work-item stops.
/// - The switches are drawn from `seed`.
/// - The others are always faster than the first work-item.
/// - A work-item holds a lock for as long as a million attempts take, if others count theirs.
OtherOrders find_other_orders(Replay& replay, std::uint64_t seed);

/// How a launch went in one schedule, and a hash of its results.
struct TriedOrder {
    vm::Played played;
    /// Describes the schedule; none for a drawn one, which explain_order() shortens first.
    std::optional<wire::Finding> description;
    std::uint64_t results = 0;
    bool differs = false; ///< from the results of a run without switches
};

/// Runs the schedule with this number, and keeps its results.
TriedOrder run_order(Replay& replay, std::uint64_t seed, int number);

/// Returns a finding that briefly describes a schedule: which work-item stops where, and which one
/// runs.
wire::Finding explain_order(Replay& replay, const TriedOrder& tried);

} // namespace labgrind
