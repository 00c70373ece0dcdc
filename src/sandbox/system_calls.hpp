#pragma once

namespace sandbox {

/// Denies this process and all that it starts the system calls by which programs reach other
/// processes, the network and the depths of the kernel. Throws std::runtime_error.
void deny_system_calls();

} // namespace sandbox
