#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace labgrind {

/// The kinds of mistakes that are distinguished.
namespace kind {
constexpr const char* data_race = "data-race";
constexpr const char* barrier_flag = "barrier-flag"; ///< a barrier for the other address space
constexpr const char* divergent_barrier = "divergent-barrier";
constexpr const char* out_of_bounds = "out-of-bounds";
constexpr const char* uninitialised = "uninitialised";
constexpr const char* endless_loop = "endless-loop";
constexpr const char* missing_fence = "missing-fence"; ///< after taking or before releasing a lock
constexpr const char* plain_unlock = "plain-unlock";
constexpr const char* unlock_not_held = "unlock-not-held";
constexpr const char* never_unlocked = "never-unlocked";
constexpr const char* barrier_in_lock = "barrier-in-lock";
constexpr const char* lock_step_hang = "lock-step-hang";
constexpr const char* no_retry = "no-retry";
constexpr const char* wrong_order = "wrong-order";     ///< the results are wrong in some schedule
constexpr const char* lock_not_free = "lock-not-free"; ///< from the start, and ignored
constexpr const char* reads_write_only = "reads-write-only"; ///< a read of such a buffer
} // namespace kind

/// Whether `value`, of `size` bytes, is the filling of uninitialized buffers.
bool is_unwritten(std::uint64_t value, std::size_t size);

/// The findings of a launch, one for each kind and pair of lines, in the order they were seen. If a
/// message has a colon, the part before it is the cause: one finding per cause and line is enough.
class Findings {
  public:
    void add(const wire::Finding& finding);
    /// Counts a known finding of this kind, at this line alone, once more. Returns false if there
    /// is none.
    bool add_again(const char* kind, int line);
    bool has(const char* kind) const;
    const std::vector<wire::Finding>& all() const { return findings_; }
    /// All findings except those that others explain: a race at the same line may lead to the read
    /// of an uninitialized value, and such a value to an index out of bounds.
    std::vector<wire::Finding> without_consequences() const;

  private:
    std::vector<wire::Finding> findings_;
};

} // namespace labgrind
