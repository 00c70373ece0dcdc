#pragma once

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
    std::uint32_t warp = 0; ///< work-items that may run in lock step share it, in one launch
    std::uint32_t group = 0;
    std::uint32_t phase = 0; ///< barriers of the group before it
    std::uint32_t site = 0;
    std::uint64_t word = 0; ///< a number of the caller's
    bool tries = false;     ///< a compare-and-swap of 0, or an exchange, for something else
    bool writes = false;
    bool looks = false;   ///< what was there before is used
    bool changes = false; ///< a compare-and-swap or exchange that stored its value
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::uint64_t way = 0;  ///< hash of the calls and the rounds of loops that lead to the site
    std::uint64_t spin = 0; ///< the innermost loop, if it goes round until it succeeds
    /// Loops between whose braces the site stands: one that is about to leave a loop is in it, too.
    std::vector<std::uint64_t> braces;
};

/// The two kinds of memory that a fence may order.
enum Space { local_space, global_space };

/// From a lock's taking to its release.
struct Hold {
    std::uint64_t word = 0;
    std::uint32_t item = 0;
    std::uint32_t warp = 0;
    std::uint32_t phase = 0;
    std::uint64_t way = 0;
    std::uint32_t lock_site = 0;
    std::array<bool, 2> lock_fenced{}; ///< by space: a fence stands between taking it and now
    std::array<bool, 2> dirty{};       ///< by space: accessed since the last fence
    bool released = false;
    bool plain_release = false;
    std::uint32_t release_site = 0;
    std::array<bool, 2> release_fenced{}; ///< by space
    std::uint64_t spin_loop = 0;          ///< the loop that tries again; 0: there is none
    bool released_in_loop = false;
};

/// Watches words that work like locks: 0 while nobody holds them, something else while somebody
/// does. Whether a word is a lock shows only with time, so everything is noted first: a flag that
/// elects somebody, a sum that comes back to 0 or a mailbox look alike in the beginning.
class Locks {
  public:
    void atomic(const AtomicStep& step);
    /// An ordinary store of `step.after` to a word.
    void store(const AtomicStep& step);
    /// An ordinary access to memory of that kind.
    void touch(std::uint32_t item, Space space);
    void fence(std::uint32_t item, Space space, bool acquire, bool release);

    /// The hold that `item` is in, by number; 0: none.
    std::uint32_t held_by(std::uint32_t item) const;
    /// Whether `item` holds the lock that this word is, or may yet turn out to be.
    bool holds(std::uint32_t item, std::uint64_t word) const;
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
    /// A work-item that goes on without a lock: the word held something else than 0 from the start,
    /// and the loop that tries to take it has ended all the same.
    struct GoneOn {
        std::uint64_t word = 0;
        std::uint32_t item = 0;
        std::uint32_t site = 0;
        std::uint64_t value = 0; ///< what the word held
    };
    std::vector<GoneOn> gone_on() const;
    bool is_known(std::uint64_t word) const { return words_.count(word) != 0; }
    bool is_lock(std::uint64_t word) const;
    /// A pair of holds (numbers) that would hang work-items which run in lock step: both wait in a
    /// loop that the lock's holder has to leave before it releases the lock.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> lock_step_hang() const;
    /// The hold that stands in the way of `item`'s last attempt, by number; 0: none.
    std::uint32_t obstacle(std::uint32_t item) const;

    /// A word that several work-items changed by compare-and-swap or exchange: whoever comes late
    /// finds what another one left there.
    struct Contended {
        std::vector<std::uint64_t> values; ///< that were stored there
        bool lock = false;                 ///< it is taken and given back
        std::uint32_t site = 0;            ///< of the first change
    };
    std::map<std::uint64_t, Contended> contended() const;

  private:
    struct Word {
        std::set<std::uint64_t> stored;   ///< by any compare-and-swap or exchange
        std::set<std::uint32_t> changers; ///< work-items
        std::uint32_t first_site = 0;     ///< of a change
        std::set<std::uint32_t> take_sites;
        std::set<std::uint32_t> release_sites;
        std::uint32_t takes = 0;
        std::uint32_t releases = 0;
        bool waited_for = false;            ///< somebody tries again and again
        bool taken_in_loops = true;         ///< always, and in such that do not count
        bool given_back = false;            ///< by its taker, with no barrier in between
        bool emptied = false;               ///< what a release found was used: it holds something
        bool written = false;               ///< by anybody, in this launch
        bool only_taken_free = true;        ///< never but from 0 by who tries to take it, and to 0
        std::uint32_t current = 0;          ///< number of the hold, 0: free
        std::uint32_t last_phase = 0;       ///< in which it was taken or given back
        std::optional<std::uint32_t> group; ///< that was there last
        bool one_group = true;              ///< nobody else has been
        std::vector<Stray> strays;
    };
    struct Attempts {
        std::uint64_t word = 0;
        std::uint32_t failures = 0; ///< in a row
        std::uint32_t site = 0;     ///< of the last one
        std::uint64_t found = 0;    ///< what stood there then
        bool waits = false;         ///< it is tried in a loop
        bool from_start = false;    ///< what stood there was there before the launch
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
