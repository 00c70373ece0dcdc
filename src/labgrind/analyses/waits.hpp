#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace labgrind {

/// A work-item reads a word in a loop that repeats until the word lets it leave.
struct Poll {
    std::uint32_t item = 0;
    std::uint32_t warp = 0;  ///< shared by work-items that may run in lockstep; unique in a launch
    std::uint32_t phase = 0; ///< barriers of the group before it
    std::uint32_t site = 0;
    std::uint64_t word = 0; ///< a number that the caller chooses
    std::uint64_t loop = 0;
    std::uint64_t context = 0; ///< hash of the calls and loop iterations that lead to the site
    std::uint64_t when = 0;    ///< instructions of the work-item before it
};

/// A work-item changes a word.
struct Change {
    std::uint32_t item = 0;
    std::uint32_t phase = 0;
    std::uint32_t site = 0;
    std::uint64_t word = 0;
    std::vector<std::uint64_t> enclosing_loops; ///< loops whose braces enclose the site
};

/// Finds two work-items of a warp of which one waits in a loop for what the other stores after that
/// loop: in lockstep, no work-item continues after a loop before all have left it. The meaning of
/// the word does not matter: a lock, a ticket, a count.
class Waits {
  public:
    /// Must be called before change() for the same instruction.
    void poll(const Poll& poll);
    void change(const Change& change);
    /// Whether a change of `word` by `item` matters.
    bool concerns(std::uint32_t item, std::uint64_t word) const {
        return polls_.contains(item) || passed_.contains(word);
    }

    /// The last read that `item` repeats until it may leave a loop; null: there is none.
    const Poll* last_poll(std::uint32_t item) const;

    struct Hang {
        std::uint32_t first = 0;  ///< the work-item that stores
        std::uint32_t second = 0; ///< the one that waits for it
        std::uint32_t wait_site = 0;
        std::uint32_t store_site = 0;
    };
    /// The first one found.
    const std::optional<Hang>& hang() const { return hang_; }

  private:
    /// The last change of a word came after the loop of this poll.
    struct Passed {
        Poll poll;
        std::uint32_t store_site = 0;
    };

    std::unordered_map<std::uint32_t, Poll> polls_;    ///< the last one of each work-item
    std::unordered_map<std::uint64_t, Passed> passed_; ///< by word
    /// By waiting work-item, until it has left the loop, too.
    std::unordered_map<std::uint32_t, Hang> pending_;
    std::optional<Hang> hang_;
};

} // namespace labgrind
