#pragma once

#include "labgrind/analyses/footprint.hpp"
#include "labgrind/analyses/group.hpp"
#include "labgrind/analyses/group_parts.hpp"
#include "labgrind/analyses/locks.hpp"
#include "labgrind/analyses/order.hpp"
#include "labgrind/analyses/races.hpp"
#include "labgrind/analyses/run_options.hpp"
#include "labgrind/analyses/shared_words.hpp"
#include "labgrind/analyses/swaps.hpp"
#include "labgrind/analyses/waits.hpp"
#include "labgrind/analyses/work.hpp"
#include "labgrind/observer.hpp"
#include "labgrind/program/instructions.hpp"
#include "labgrind/program/loops.hpp"
#include "labgrind/reports/names.hpp"
#include "labgrind/reports/reports.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace labgrind {

/// The first number of a word of local memory.
constexpr std::uint64_t local_word = std::uint64_t{1} << 63;

/// The state of one launch.
struct Observer::Launch {
    Launch(vm::Launch& one, const Group& group, wire::WorkCounts& counts, RunOptions how);

    /// By item and word.
    using ItemWord = std::pair<std::uint32_t, std::uint64_t>;

    vm::Launch& launch;
    std::uint32_t group_size;
    RunOptions options;
    Instructions instructions;
    std::set<std::uint32_t> constants; ///< buffers that hold only the program's constants
    bool may_change_atomically;        ///< the program has atomic operations
    Loops loops;
    /// What has been accessed in an address space, and in which order.
    struct Accesses {
        Order order;
        Races races;
    };
    std::array<Accesses, 2> accesses; ///< by Space
    Locks locks;
    Swaps swaps;
    Waits waits;
    Work work;
    Names names;
    Reports reports;
    Footprint footprint;
    GroupParts group_parts;
    /// A race between groups that may use overlapping parts of a buffer.
    struct RaceOfParts {
        wire::Finding race;
        std::uint32_t buffer = 0;
        Names::Variable variable = {};
    };
    std::vector<RaceOfParts> races_of_parts;
    /// By item and word: the last read under a lock.
    std::map<ItemWord, Access> reads_under_lock;
    /// A read under a lock, and a write of the same word in another hold.
    struct SplitUpdate {
        Access read;
        Access write;
        std::string name; ///< of the word
    };
    std::optional<SplitUpdate> split_update; ///< the first one
    /// Races between atomic operations and plain loads, by the load's work-item, word and site.
    std::map<std::pair<ItemWord, std::uint32_t>, wire::Finding> load_races;
    std::map<std::uint64_t, vm::Address> local_words; ///< changed atomically, with addresses
    std::map<std::uint64_t, std::uint64_t>
        local_values;       ///< of these words, at the end of their groups
    std::size_t strays = 0; ///< accesses outside memory
    SharedWords shared_words;
    bool any_atomics = false;
    bool global_atomics = false;
    /// The sites of the atomic operations that have changed a word.
    std::unordered_map<std::uint64_t, std::set<std::uint32_t>> changed_words;
    /// The same of those that have left it as it was, although they are made only to change it.
    std::unordered_map<std::uint64_t, std::set<std::uint32_t>> kept_words;
    std::set<ItemWord> atomic_changes;      ///< the words that a work-item changed so
    std::set<std::uint32_t> verified_loads; ///< loads (sites) that an atomic operation followed
};

} // namespace labgrind
