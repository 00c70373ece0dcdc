#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// Returns the processes that any thread of `parent` started or adopted.
std::vector<pid_t> children(pid_t parent);

/// Returns the processes below `top` (children of children ...), without `top`, parents first.
std::vector<pid_t> descendants(pid_t top);

/// Returns whether a child has ended; it can still be waited for.
bool has_ended(pid_t child);

/// Waits until a child ends and returns its status as waitpid does.
int wait_for(pid_t child);

/// Returns pointers to the texts, followed by a null, for exec, which changes none of the texts.
std::vector<char*> pointers_to(const std::vector<std::string>& texts);

} // namespace sandbox
