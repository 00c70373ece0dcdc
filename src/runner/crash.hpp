#pragma once

#include "wire/journal.hpp"

namespace runner {

/// From now on, a crash of this process writes its stack to `journal` first. Call this again after
/// OpenCL has compiled something: compilers install their own handlers, which then run after ours.
void record_crashes(wire::Journal& journal);

} // namespace runner
