#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// The processes that `parent` started or adopted, whichever of its threads did.
std::vector<pid_t> children(pid_t parent);

/// The processes below `top` (children of children ...), without it, parents first.
std::vector<pid_t> descendants(pid_t top);

/// Whether a child has ended; it can still be waited for.
bool has_ended(pid_t child);

/// Waits for a child's end and gives its status, as waitpid does.
int wait_for(pid_t child);

/// Pointers to texts, closed by a null, as exec wants them. It changes none of them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts);

} // namespace sandbox
