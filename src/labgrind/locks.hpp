#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace labgrind {

/// An atomic operation on a word, as far as locks are concerned.
struct AtomicStep {
    std::uint32_t item = 0;
    std::uint32_t warp = 0;  ///< work-items that may run in lock step share it, in one launch
    std::uint32_t phase = 0; ///< barriers of the group before it
    std::uint32_t site = 0;
    std::uint64_t word = 0; ///< address
    bool tries = false;     ///< a compare-and-swap of 0, or an exchange, for something else
    bool writes = false;
    bool changes = false; ///< a compare-and-swap or exchange that stored its value
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::uint64_t path = 0;           ///< of the item's branches since the last barrier, a hash
    std::vector<std::uint64_t> loops; ///< around the site, innermost first, callers' included
};

/// From a lock's taking to its release.
struct Hold {
    std::uint64_t word = 0;
    std::uint32_t item = 0;
    std::uint32_t warp = 0;
    std::uint32_t phase = 0;
    std::uint64_t path = 0;
    std::uint32_t lock_site = 0;
    bool lock_fenced = false; ///< a fence stands between taking it and now
    bool dirty = false;       ///< its holder accessed global memory since the last fence
    bool released = false;
    bool plain_release = false;
    std::uint32_t releaser = 0;
    std::uint32_t release_site = 0;
    bool release_fenced = false;
    std::uint64_t spin_loop = 0; ///< the loop that tries again; 0: there is none
    bool released_in_loop = false;
};

/// Watches words that work like locks: 0 while nobody holds them, one other value while somebody
/// does. Whether a word is a lock shows only with time, so everything is noted first.
class Locks {
  public:
    void atomic(const AtomicStep& step);
    /// An ordinary store of `value` to a word.
    void store(std::uint32_t item, std::uint32_t site, std::uint64_t word, std::uint64_t value);
    /// An ordinary access to global memory.
    void touch(std::uint32_t item);
    void fence(std::uint32_t item);

    /// The hold that `item` is in, by number; 0: none.
    std::uint32_t held_by(std::uint32_t item) const;
    const Hold& hold(std::uint32_t number) const { return holds_[number - 1]; }
    const std::vector<Hold>& holds() const { return holds_; }

    /// A release by somebody who did not hold the lock.
    struct Stray {
        std::uint64_t word = 0;
        std::uint32_t item = 0;
        std::uint32_t site = 0;
        std::optional<std::uint32_t> holder; ///< number of the hold it ended
    };
    /// Of words that are locks.
    std::vector<Stray> strays() const;
    bool is_lock(std::uint64_t word) const;
    /// A pair of holds (numbers) that would hang work-items which run in lock step: both wait in a
    /// loop that the lock's holder has to leave before it releases the lock.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> lock_step_hang() const;
    /// The hold that stands in the way of `item`'s last attempt, by number; 0: none.
    std::uint32_t obstacle(std::uint32_t item) const;

    /// Values that other work-items stored in `word` by compare-and-swap or exchange: what somebody
    /// who is late may find there. Empty unless at least two work-items changed it.
    std::vector<std::uint64_t> rival_values(std::uint64_t word) const;
    /// Words that a compare-and-swap or an exchange has changed.
    std::vector<std::uint64_t> changed_words() const;

  private:
    struct Word {
        std::set<std::uint64_t> keys;     ///< what takers stored
        std::set<std::uint64_t> stored;   ///< by any compare-and-swap or exchange
        std::set<std::uint32_t> changers; ///< work-items
        std::uint32_t takes = 0;
        std::uint32_t releases = 0;
        std::uint32_t failures = 0;
        std::uint32_t current = 0; ///< number of the hold, 0: free
        std::vector<Stray> strays;
    };

    void release(Word& word, std::uint32_t item, std::uint32_t site, std::uint64_t address,
                 bool plain, const std::vector<std::uint64_t>& loops);

    std::vector<Hold> holds_;
    std::map<std::uint64_t, Word> words_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> held_; ///< by item
    std::map<std::uint32_t, std::uint64_t> last_attempt_;      ///< word, by item
};

} // namespace labgrind
