#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace labgrind {

/// A compare-and-swap or an exchange of a word of global memory.
struct Swap {
    std::uint32_t site = 0;
    std::uint32_t item = 0;
    std::uint64_t address = 0;
    std::size_t size = 0;       ///< in bytes
    bool compares = false;      ///< a compare-and-swap
    std::uint64_t expected = 0; ///< by a compare-and-swap
    std::uint64_t found = 0;
    std::uint64_t next = 0;   ///< the value to store
    bool uses_result = false; ///< its result is used

    bool stores() const { return !compares || found == expected; }
};

/// The swaps of a launch that change nothing: they explain races, endless loops and locks that are
/// never released.
class Swaps {
  public:
    /// `in_loop`: a loop repeats it until it succeeds.
    void note(const Swap& swap, bool in_loop);

    /// The last swap of `item` that ended such a loop and stored the value that it found there.
    std::optional<Swap> unchanging(std::uint32_t item) const { return of(item).unchanging; }

    /// How `item` took a lock without checking whether it was free: its result is not used, and
    /// the word was 0 again later.
    std::optional<Swap> unchecked(std::uint32_t item) const { return of(item).unchecked; }

    /// The last swap of `item`, if it found a lock taken.
    std::optional<Swap> refused(std::uint32_t item) const;

    /// The compare-and-swaps that have run.
    std::vector<std::uint32_t> sites() const;

    /// The first execution of each compare-and-swap that has never stored.
    std::vector<Swap> failed() const;

  private:
    /// What a work-item has done.
    struct History {
        std::optional<Swap> last; ///< whose result is used, or that compares
        std::optional<Swap> unchanging;
        std::optional<Swap> ignoring_result; ///< the last one, with a value other than 0
        std::optional<Swap> unchecked;
    };

    const History& of(std::uint32_t item) const;

    std::map<std::uint32_t, History> by_item_;
    std::map<std::uint32_t, std::optional<Swap>> failed_; ///< by site; nothing: one has stored
};

} // namespace labgrind
