#pragma once

#include "labgrind/failed_swaps.hpp"
#include "labgrind/last_changes.hpp"
#include "labgrind/replay.hpp"
#include "labgrind/vm/policies.hpp"

#include <cstddef>
#include <vector>

namespace labgrind {

/// A work-item that stops while it holds a word, and one that gives up waiting for it.
struct Standoff {
    std::size_t holder = 0;
    std::size_t waiter = 0;
    const ir::Instruction* waits_at = nullptr;
    bool is_over_lock = false;
    int line = 0; ///< where the holder stops; 0: unknown
};

// Each describes, in a finding, a schedule that leads to another result.

wire::Finding describe_standoff(const Replay& replay, const Standoff& standoff);
wire::Finding describe_stops(const Replay& replay, const std::vector<vm::SurveyPolicy::Stop>& stops,
                             const vm::StopPolicy& policy);
/// Each group runs to its next barrier, and then the next one.
wire::Finding describe_turns(const Replay& replay);
/// The groups run from the last to the first. `resetting_line`: a line that replaces what another
/// group has written; 0: there is none.
wire::Finding describe_opposite(const Replay& replay, int resetting_line);
/// Uninitialized memory, such as `element`, holds old values.
wire::Finding describe_stale(const Replay& replay, const Replay::UnwrittenElement& element,
                             const vm::SurveyPolicy::Stop& stop);
/// `late`: the line whose writes take effect late. The launch may never end.
wire::Finding describe_late(const Replay& replay, const vm::Interleaving& run, int late,
                            const vm::LatePolicy& policy);
/// `early`: the line whose reads take effect early; `overtaken`: the line of the access that should
/// have come before, 0 if that is not known. The launch may never end.
wire::Finding describe_early(const Replay& replay, const vm::Interleaving& run, int early,
                             int overtaken);
wire::Finding describe_gathering(const Replay& replay, int line);
wire::Finding describe_starving(const Replay& replay, const vm::Interleaving& run);
/// Describes a few switches between work-items.
wire::Finding describe_switches(const Replay& replay, const vm::Interleaving& run);

/// Adds which lines work-items execute in the described schedule, but not in the usual one.
void add_lines_only_there(wire::Finding& finding, const std::vector<int>& lines);

/// Adds a compare-and-swap that fails in the described schedule and is not retried, if there is one.
void add_not_retried(wire::Finding& finding, const Replay& replay,
                     const std::optional<FailedSwaps::Failed>& failed);

/// Describes a schedule that never ends.
wire::Finding describe_hang(const Replay& replay, const vm::Interleaving& run,
                            const LastChanges& changes);
/// Describes an access outside all buffers.
wire::Finding describe_stray(const Replay& replay, const vm::Launch::Stray& stray);

} // namespace labgrind
