#pragma once

#include "wire/journal.hpp"

namespace runner {

/// From here on a crash of this process leaves its stack in `journal` before it takes its course.
void record_crashes(wire::Journal &journal);

} // namespace runner
