#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace labgrind {

/// The kinds of mistakes that are told apart.
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
constexpr const char* wrong_order = "wrong-order";     ///< the results are wrong in a drawn order
constexpr const char* lock_not_free = "lock-not-free"; ///< from the start, and nobody minds
constexpr const char* reads_write_only = "reads-write-only"; ///< a buffer that is
} // namespace kind

/// Whether `value`, of `size` bytes, is what buffers hold that nobody has written.
bool is_unwritten(std::uint64_t value, std::size_t size);

/// The findings of a launch, one for each kind and pair of lines, in the order they were seen. Where
/// a message has a colon, the cause stands before it, and one is enough for each cause and line.
class Findings {
  public:
    void add(const wire::Finding& finding);
    /// Counts one that is known again, of this kind at this line alone. False: none is.
    bool add_again(const char* kind, int line);
    bool has(const char* kind) const;
    const std::vector<wire::Finding>& all() const { return findings_; }
    /// All but those that others explain: a race at the same line may lead to a value that is read
    /// before it was written, and such a value to an index out of bounds.
    std::vector<wire::Finding> without_consequences() const;

  private:
    std::vector<wire::Finding> findings_;
};

} // namespace labgrind
