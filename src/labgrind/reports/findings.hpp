#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace labgrind {

/// What a work-item must not wait for.
constexpr const char* for_later_group =
    " for a group that may not have begun: groups begin in any order, and a device may begin one "
    "only after another one has ended. Wait only for groups with a lower number from an atomic "
    "counter, not from get_group_id(). If something needs the results of all groups, let the group "
    "that counts itself last do it";

using wire::FindingKind;

/// " at line 5"; "" for 0.
inline std::string at_line(int line) { return line == 0 ? "" : " at line " + std::to_string(line); }

/// Whether `value`, of `size` bytes, is the filling of uninitialized buffers.
bool is_unwritten(std::uint64_t value, std::size_t size);

/// The findings of a launch in the order they were seen: one for each kind and pair of lines, or for
/// each cause at a line.
class Findings {
  public:
    void add(const wire::Finding& finding);
    /// Replaces the explanation of a known data race. Those with the same one have one cause.
    void explain(const wire::Finding& race, const std::string& explanation);
    /// Removes a known data race.
    void remove(const wire::Finding& race);
    bool has(FindingKind kind) const;
    /// Whether there is one at this line alone.
    bool has(FindingKind kind, int line) const;
    /// An atomic operation outside its buffer did nothing. It may be a lock that is not taken: later
    /// races between groups follow from it.
    void note_lost_atomic() { has_lost_atomic_ = true; }
    /// Not all work-items reach a barrier. `deciding_lines`: those of the loads from shared memory that
    /// decide which ones do; if there are none, the reason is no data race.
    void note_divergence(const std::set<int>& deciding_lines) {
        has_divergence_ = has_divergence_ || deciding_lines.empty();
        deciding_lines_.insert(deciding_lines.begin(), deciding_lines.end());
    }
    /// A condition or an address depends on an uninitialized variable of the kernel.
    void note_undefined_path() { has_undefined_path_ = true; }
    const std::vector<wire::Finding>& all() const { return findings_; }
    /// All findings except those that others explain: a wrong flag of a barrier is a reason for
    /// races with the access after it; a race at the same line may lead to the read of an
    /// uninitialized value, such a value to an index out of bounds, and a condition on an uninitialized
    /// variable to races between groups. A race over what decides which work-items reach a barrier is why
    /// not all of them do.
    std::vector<wire::Finding> without_consequences() const;

  private:
    std::vector<wire::Finding> findings_;
    bool has_lost_atomic_ = false;
    bool has_divergence_ = false;
    bool has_undefined_path_ = false;
    std::set<int> deciding_lines_; ///< see note_divergence()
};

} // namespace labgrind
