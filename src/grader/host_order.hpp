#pragma once

#include "wire/messages.hpp"

#include <string>
#include <vector>

namespace grader {

/// An interpreted launch and the memory that it used.
struct SeenLaunch {
    std::string kernel;
    std::vector<wire::LaunchArgument> arguments;
    wire::Footprint footprint;
    wire::WorkCounts work = {};
};

/// Whether two unordered commands conflict.
enum class Clash {
    none,
    unknown, ///< a launch may or may not use the bytes of the other command
    certain
};

/// `launches`: those of the call, if they were interpreted.
Clash clash_of(const wire::UnorderedUses& uses, const std::vector<SeenLaunch>& launches);

/// Of those that certainly clash, the first with its nearest earlier command that may clash; null if
/// none does.
const wire::UnorderedUses* nearest_clash(const std::vector<wire::UnorderedUses>& unordered,
                                         const std::vector<SeenLaunch>& launches);

/// Names the commands and says how to order them.
std::string explain_clash(const wire::UnorderedUses& uses);

} // namespace grader
