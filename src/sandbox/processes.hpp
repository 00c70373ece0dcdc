#pragma once

#include <sys/types.h>
#include <vector>

namespace sandbox {

/// The processes that `parent` started or adopted, whichever of its threads did.
std::vector<pid_t> children(pid_t parent);

/// The processes below `top` (children of children ...), without it, parents first.
std::vector<pid_t> descendants(pid_t top);

} // namespace sandbox
