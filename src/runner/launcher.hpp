#pragma once

#include "runner/call_settings.hpp"
#include "runner/guarded_buffers.hpp"
#include "runner/kernel_arguments.hpp"
#include "runner/mappings.hpp"
#include "runner/nd_range.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <optional>
#include <vector>

namespace runner {

/// Refuses launches, runs them elsewhere, or times them, before the host's own launch.
class Launcher {
  public:
    Launcher(const CallSettings& settings, const Mappings& mappings, const GuardedBuffers& guarded)
        : settings_(settings), mappings_(mappings), guarded_(guarded) {}

    /// Whether this thread is timing a launch: then its OpenCL calls are not the host's.
    static bool is_timing();

    bool runs_elsewhere() const { return settings_.withhold_kernels || settings_.elsewhere; }

    /// How `launch` fails, on a device with these limits or on any; nothing if that is for OpenCL to
    /// find out.
    std::optional<wire::FailedCall> refusal(const NdRange& range, const wire::Launch& launch,
                                            const std::vector<SetArgument>& arguments) const;

    /// Runs a launch elsewhere or times it, if the settings ask for that. An empty error: it worked, or
    /// there was nothing to do.
    wire::LaunchDone run_before(const NdRange& range, const wire::Launch& launch,
                                const std::vector<SetArgument>& arguments) const;

  private:
    std::optional<wire::FailedCall>
    unusable_argument(const std::vector<SetArgument>& arguments) const;
    wire::LaunchDone send_elsewhere(const NdRange& range, const wire::Launch& launch,
                                    const std::vector<SetArgument>& arguments) const;
    void time_launch(const NdRange& range, const std::vector<SetArgument>& arguments) const;

    const CallSettings& settings_;
    const Mappings& mappings_;
    const GuardedBuffers& guarded_;
};

} // namespace runner
