#pragma once

#include "labgrind/oclgrind.hpp"
#include "labgrind/undefined.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class CallInst;
class Instruction;
} // namespace llvm

namespace labgrind {

/// A work-item of the group that runs.
struct Item {
    const oclgrind::WorkItem* item = nullptr;
    std::uint32_t local = 0;
    std::uint32_t number = 0; ///< in the launch
    std::uint64_t instructions = 0;
    bool finished = false;
    const llvm::Instruction* waits_at = nullptr;
    std::uint64_t waits_from = 0;    ///< hash of the calls that led there
    std::vector<std::uint32_t> path; ///< branches since the last barrier: 2 * site + taken
    std::uint64_t path_hash = 0;
    std::vector<const llvm::CallInst*> calls; ///< of functions of the program, outermost first
    UndefinedValues values;
    int fence_line = 0; ///< of the last fence since the last barrier
    int loop_first = 0; ///< lines seen since the budget was used up
    int loop_last = 0;
};

/// A barrier that a group met at.
struct Meeting {
    int line = 0;
    std::uint32_t flags = 0;
};

/// The group that runs, and how far it has come.
struct Group {
    const oclgrind::WorkGroup* handle = nullptr; ///< null between groups
    std::uint32_t index = 0;
    std::uint32_t first_item = 0; ///< the lowest number of its work-items
    std::vector<Item> items;
    std::vector<Meeting> barriers;
};

/// The number of work-items, or groups, in `size`.
inline std::size_t volume(const oclgrind::Size3& size) { return size.x * size.y * size.z; }

} // namespace labgrind
