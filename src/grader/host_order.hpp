#pragma once

#include "wire/messages.hpp"

#include <string>
#include <vector>

namespace grader {

/// A launch as it was interpreted, and the memory it was seen to use.
struct SeenLaunch {
    std::vector<wire::LaunchArgument> arguments;
    wire::Footprint footprint;
};

/// Whether two commands that nothing orders get in each other's way.
enum class Clash {
    none,
    unknown, ///< a launch may use the bytes that the other one uses, or may not
    certain
};

/// `launches`: those of the call, if they were interpreted.
Clash clash_of(const wire::UnorderedUses& uses, const std::vector<SeenLaunch>& launches);

/// Says which commands they are, and what orders them.
std::string explain_clash(const wire::UnorderedUses& uses);

} // namespace grader
