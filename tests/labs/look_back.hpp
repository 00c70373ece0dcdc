#pragma once

#include "grader/case.hpp"

#include <string>
#include <vector>

/// What leads to a wrong sum of all elements before a tile in lab 8's scan.
namespace look_back {

/// A scan in tiles that ended with a wrong result.
struct Scan {
    const std::vector<float>& values; ///< whole numbers
    std::span<const float> got;
    std::size_t per_item = 1; ///< elements
    std::size_t per_tile = 1;
    std::vector<wire::WordRead> reads = {}; ///< Case::last_reads()
};

/// The kernel's parameter for the words of the tiles.
constexpr std::size_t state_argument = 4;

/// A known mistake.
struct Idea {
    std::string what;   ///< "the sum of all elements before tile 2 lacks tile 0"
    std::string advice; ///< the same for all tiles
    /// Whether it does not depend on the order in which groups run, so that it shows in other scans.
    bool shows_always = false;
};

/// The mistakes that explain the first wrong tile, whose first element is number `first`.
/// `depends_on_schedule`: the scan is right in another order of the groups.
std::vector<Idea> ideas(const Scan& scan, std::size_t first, bool depends_on_schedule);

/// The mistakes that explain all tiles of a scan of at least two.
std::vector<std::string> explanations(const Scan& scan);

/// What is wrong with the words that the tiles have published, or with the ticket in front of them.
struct StateMistake {
    std::string text; ///< "tile 0 has published only an AGGREGATE: ..."; "" if nothing is known
    bool is_in_ticket = false;
};
/// `has_ended`: the launch was not stopped in an endless loop, so each tile must have published.
StateMistake mistake_in_state(const Scan& scan, std::span<const std::uint32_t> state,
                              bool has_ended);

} // namespace look_back
