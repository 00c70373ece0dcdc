#pragma once

#include "labgrind/replay.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace labgrind {

/// Schedules of a launch whose results differ from those that are kept.
struct OtherSchedules {
    std::vector<wire::Schedule> schedules; ///< a few, each with different results
    /// For a schedule that never ends, or in which a work-item leaves its buffers.
    std::optional<wire::Finding> mistake;
};

/// Whether the launch ends if all groups run at the same time.
bool ends_with_all_groups(Replay& replay);

/// Tries schedules of all kinds, with those that are drawn from `seed`. `long_searches`: how many searches
/// that take seconds the program's launches have made so far; a few are enough.
OtherSchedules find_other_schedules(Replay& replay, std::uint64_t seed, std::size_t& long_searches);

/// Watches the launch while groups wait for each other: each work-item that is about to change a word
/// atomically stops for as long as others can continue. Returns the mistakes on the paths that only a
/// work-item takes that waits, or does not wait any longer.
std::vector<wire::Finding> find_mistakes_of_waiting(Replay& replay);

/// What happens in a schedule.
struct ScheduleRun {
    /// If the results differ from those of the usual schedule: briefly, which work-item stops where, and
    /// which one runs.
    std::optional<wire::Finding> finding;
    std::vector<wire::WordRead> last_reads;
};

/// Runs a schedule, and keeps its results. One that belongs to another launch of the call is like the
/// usual one. Returns what happens in it if `is_explained`.
ScheduleRun run_schedule(Replay& replay, std::uint64_t seed, const wire::Schedule& schedule,
                         bool is_explained);

} // namespace labgrind
