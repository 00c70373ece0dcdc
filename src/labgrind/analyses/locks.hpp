#pragma once

#include "labgrind/vm/ir.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace labgrind {

/// An atomic operation on a word, as far as locks are concerned.
struct AtomicStep {
    std::uint32_t item = 0;
    std::uint32_t warp = 0; ///< shared by work-items that may run in lockstep; unique in a launch
    std::uint32_t group = 0;
    std::uint32_t phase = 0; ///< barriers of the group before it
    std::uint32_t site = 0;
    std::uint64_t word = 0; ///< a number that the caller chooses
    bool tries = false;     ///< it compares and swaps 0, or exchanges, for a nonzero value
    bool writes = false;
    bool uses_result = false; ///< the old value is used
    bool changes = false;     ///< a compare-and-swap or exchange that stored its value
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::uint64_t context = 0; ///< hash of the calls and loop iterations that lead to the site
    std::uint64_t spin = 0;    ///< the innermost loop, if it repeats until the operation succeeds
    /// Loops whose braces enclose the site, including a loop that it is about to leave.
    std::vector<std::uint64_t> enclosing_loops;
    std::vector<const ir::Block*> loops_around; ///< heads of those of its function, innermost first
};

/// The two kinds of memory that a fence may order.
enum Space { local_space, global_space };

/// The time from the acquire of a lock to its release.
struct Hold {
    std::uint64_t word = 0;
    std::uint32_t item = 0;
    std::uint32_t warp = 0;
    std::uint32_t group = 0;
    std::uint32_t phase = 0;
    std::uint64_t context = 0;
    std::uint32_t lock_site = 0;
    std::array<bool, 2> lock_fenced{}; ///< by space: there was a fence since the acquire
    std::array<bool, 2> dirty{};       ///< by space: accessed since the last fence
    bool released = false;
    bool plain_release = false;
    std::uint32_t release_site = 0;
    std::uint32_t released_by = 0;        ///< a work-item
    std::uint32_t release_phase = 0;      ///< barriers of its group before that
    std::array<bool, 2> release_fenced{}; ///< by space
    std::uint64_t spin_loop = 0;          ///< the loop that retries; 0: none
    bool released_in_loop = false;
    /// Where its holder sets the word to another value than 0, if it does, and that value.
    std::uint32_t wrong_release_site = 0;
    std::uint64_t wrong_value = 0;
    /// The branch after which its holder ended without a release; nothing: none, or it is not known.
    std::optional<std::uint32_t> way_out = std::nullopt;
};

/// Watches words that work like locks: 0 while they are free, nonzero while a work-item holds them.
/// Whether a word is a lock shows only with time, so everything is recorded first: a flag that
/// elects a work-item, a sum that returns to 0 and a mailbox look alike at the beginning.
class Locks {
  public:
    void atomic(const AtomicStep& step);
    /// An ordinary store of `step.after` to a word.
    void store(const AtomicStep& step);
    /// An ordinary access to memory of that kind.
    void touch(std::uint32_t item, Space space);
    void fence(std::uint32_t item, Space space, bool acquire, bool release);

    /// `item` ends while it holds a lock: after this branch, it did not come to a release.
    void end_at(std::uint32_t item, std::uint32_t branch);

    /// The number of the hold that `item` is in; 0: none.
    std::uint32_t held_by(std::uint32_t item) const;
    /// Whether `item` holds this word, which is a lock or may yet turn out to be one.
    bool holds(std::uint32_t item, std::uint64_t word) const;
    const Hold& hold(std::uint32_t number) const { return holds_[number - 1]; }
    /// The last hold that `item` has released; null: none.
    const Hold* last_release_by(std::uint32_t item) const;
    const std::vector<Hold>& holds() const { return holds_; }

    /// A release by a work-item that did not hold the lock.
    struct Stray {
        std::uint32_t item = 0;
        std::uint32_t site = 0;
        std::optional<std::uint32_t> holder; ///< number of the hold it ended
    };
    /// Stray releases of words that are locks.
    std::vector<Stray> strays() const;
    /// A work-item that continues without the lock: the word was nonzero from the start, but the
    /// loop that tries to take it has ended anyway.
    struct WithoutLock {
        std::uint32_t item = 0;
        std::uint32_t site = 0;
        std::uint64_t value = 0; ///< what the word held
    };
    std::vector<WithoutLock> without_lock() const;
    bool is_known(std::uint64_t word) const { return words_.contains(word); }
    bool is_lock(std::uint64_t word) const;
    /// The numbers of two holds that would hang work-items which run in lockstep: both wait in a
    /// loop that the lock's holder must leave before it releases the lock.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> lock_step_hang() const;
    /// The number of the hold that makes `item`'s last attempt fail; 0: none.
    std::uint32_t obstacle(std::uint32_t item) const;

    /// A word that several work-items changed by compare-and-swap or exchange: a late one finds
    /// what another one stored there.
    struct Contended {
        std::vector<std::uint64_t> values; ///< that were stored there
        bool lock = false;                 ///< it is taken and released
    };
    std::map<std::uint64_t, Contended> contended() const;

  private:
    struct Word {
        std::set<std::uint64_t> stored;   ///< by any compare-and-swap or exchange
        std::set<std::uint32_t> changers; ///< work-items
        std::set<std::uint32_t> take_sites;
        std::set<std::uint32_t> release_sites;
        std::uint32_t takes = 0;
        std::uint32_t releases = 0;
        bool waited_for = false;      ///< a work-item retries many times
        bool taken_in_loops = true;   ///< always, and in loops without a counter
        bool given_back = false;      ///< by its holder, with no barrier in between
        bool emptied = false;         ///< a release used the old value, so it holds data
        bool written = false;         ///< in this launch
        bool only_taken_free = true;  ///< only changed from 0 by an attempt to take it, and to 0
        std::uint32_t current = 0;    ///< number of the hold, 0: free
        std::uint32_t last_phase = 0; ///< in which it was taken or released
        std::optional<std::uint32_t> group; ///< that used it last
        bool one_group = true;              ///< no other group has used it
        std::vector<Stray> strays;
    };
    struct Attempts {
        std::uint64_t word = 0;
        std::uint32_t failures = 0; ///< in a row
        std::uint32_t site = 0;     ///< of the last one
        std::uint64_t found = 0;    ///< the value at that time
        bool waits = false;         ///< it retries in a loop
        bool from_start = false;    ///< the value is from before the launch
    };

    void take(Word& word, const AtomicStep& step);
    void release(Word& word, const AtomicStep& step, bool plain);
    void drop(Word& word);
    static bool looks_like_a_lock(const Word& word);

    std::vector<Hold> holds_;
    std::map<std::uint64_t, Word> words_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> held_; ///< by item
    std::map<std::uint32_t, Attempts> attempts_;               ///< the last ones, by item
};

} // namespace labgrind
