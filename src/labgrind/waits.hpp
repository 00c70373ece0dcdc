#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace labgrind {

/// A work-item reads a word in a loop that goes on until the word lets it leave.
struct Look {
    std::uint32_t item = 0;
    std::uint32_t warp = 0;  ///< work-items that may run in lock step share it, in one launch
    std::uint32_t phase = 0; ///< barriers of the group before it
    std::uint32_t site = 0;
    std::uint64_t word = 0; ///< a number of the caller's
    std::uint64_t loop = 0;
    std::uint64_t way = 0; ///< hash of the calls and the rounds of loops that lead to the site
};

/// A work-item changes a word.
struct Change {
    std::uint32_t item = 0;
    std::uint32_t phase = 0;
    std::uint32_t site = 0;
    std::uint64_t word = 0;
    std::vector<std::uint64_t> braces; ///< loops between whose braces the site stands
};

/// Finds work-items of a warp of which one waits in a loop for what the other stores behind that loop:
/// in lock step nobody goes on behind a loop before all have left it. Whatever the word means: a lock,
/// a ticket, a count.
class Waits {
  public:
    /// To be told before what the same instruction changes.
    void look(const Look& look);
    void change(const Change& change);
    /// Whether anybody has waited for the word.
    bool is_known(std::uint64_t word) const { return words_.count(word) != 0; }

    struct Hang {
        std::uint32_t first = 0;  ///< the work-item that stores
        std::uint32_t second = 0; ///< the one that waits for it
        std::uint32_t wait_site = 0;
        std::uint32_t store_site = 0;
    };
    /// The first one there was.
    const std::optional<Hang>& hang() const { return hang_; }

  private:
    /// The word was last changed behind the loop of this look, by who looked.
    struct Passed {
        Look look;
        std::uint32_t store_site = 0;
    };
    struct Word {
        std::unordered_map<std::uint32_t, Look> looks; ///< the last ones, by item
        std::optional<Passed> passed;
        std::map<std::uint32_t, Hang>
            pending; ///< by who waits, until it is behind the loop as well
    };

    std::unordered_map<std::uint64_t, Word> words_;
    std::optional<Hang> hang_;
};

} // namespace labgrind
