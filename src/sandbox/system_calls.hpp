#pragma once

namespace sandbox {

/// Denies this process and all that it starts the system calls that reach other processes, the
/// network and the depths of the kernel. `socket_pairs` allows pairs of connected sockets. Throws
/// std::runtime_error.
void deny_system_calls(bool socket_pairs);

} // namespace sandbox
