#pragma once

#include "wire/journal.hpp"

namespace runner {

/// From here on a crash of this process leaves its stack in `journal` before it takes its course.
/// To be called again after OpenCL has compiled something: compilers put handlers of their own in
/// place, which then run after ours.
void record_crashes(wire::Journal& journal);

} // namespace runner
