#pragma once

#include "labgrind/replay.hpp"

#include <string>

namespace labgrind {

/// Why the atomic operations of a launch do not tell other groups that a store at one of two lines has
/// happened, for messages; "" if they may, or if that is not known. Runs the launch again, in the order of
/// groups in which the race was found.
std::string why_no_signal(Replay& replay, int line, int other_line, bool last_group_first);

} // namespace labgrind
