#pragma once

namespace sandbox {

/// Denies this process and all that it starts the system calls by which programs reach other
/// processes, the network and the depths of the kernel. `socket_pairs`: those of its own, with one
/// end for each side, it may have. Throws std::runtime_error.
void deny_system_calls(bool socket_pairs);

} // namespace sandbox
