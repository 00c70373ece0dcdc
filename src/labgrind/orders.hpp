#pragma once

#include "labgrind/replay.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace labgrind {

/// Schedules of a launch whose results differ from those that are kept.
struct OtherOrders {
    std::vector<int> numbers;          ///< a few schedules, each with different results
    std::optional<wire::Finding> hang; ///< for a schedule that never ends
};

/// Tries six kinds of schedules:
/// - One or two work-items stop for as long as others can run, at every place where that may matter.
/// - Every work-item stops when it comes to one instruction.
/// - The writes of one instruction take effect late.
/// - The switches are drawn from `seed`.
/// - The others are always faster than the first work-item.
/// - A work-item holds a lock for as long as a million attempts take, if others count theirs.
OtherOrders find_other_orders(Replay& replay, std::uint64_t seed);

/// The work-item that is stopped while it holds a lock, and the one that gave up waiting for it.
struct Standoff {
    std::optional<std::size_t> holder;
    std::optional<std::size_t> waiter;
    int line = 0; ///< where the holder is stopped; 0: unknown
};

/// How a launch went in one schedule, and a hash of its results.
struct TriedOrder {
    vm::Played played;
    std::vector<vm::SurveyPolicy::Stop> stops; ///< if the schedule is about stops
    int gathering_line = 0;                    ///< where all work-items stop; 0: nowhere
    int late_line = 0;       ///< of the write that takes effect late; 0: none does
    int overtaking_line = 0; ///< of a write that others see before that one
    bool starving = false;   ///< others are always faster than the first work-item
    Standoff standoff;       ///< if the schedule is about a standoff
    std::uint64_t results = 0;
    bool differs = false; ///< from the results of a run without switches
};

/// Runs the schedule with this number, and keeps its results.
TriedOrder run_order(Replay& replay, std::uint64_t seed, int number);

/// Returns a finding that briefly describes a schedule: which work-item stops where, and which one
/// runs.
wire::Finding explain_order(Replay& replay, const TriedOrder& tried);

} // namespace labgrind
