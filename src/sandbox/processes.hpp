#pragma once

#include <sys/types.h>
#include <vector>

namespace sandbox {

/// Returns the processes that any thread of `parent` started or adopted.
std::vector<pid_t> children(pid_t parent);

/// Returns the processes below `top` (children of children ...), without `top`, parents first.
std::vector<pid_t> descendants(pid_t top);

} // namespace sandbox
