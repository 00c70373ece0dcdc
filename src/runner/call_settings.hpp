#pragma once

#include "runner/known_words.hpp"
#include "runner/lab.hpp"
#include "runner/stopwatch.hpp"
#include "wire/handles.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <functional>
#include <span>

namespace runner {

/// Runs a launch elsewhere, on the buffers in the memory file. Throws if there is no answer.
using RemoteLauncher =
    std::function<wire::LaunchDone(const wire::KernelLaunch&, const wire::UniqueFd&)>;

/// How to watch a call.
struct CallSettings {
    wire::Limits limits;                ///< the limits that the device reports
    bool checked = false;               ///< guard buffers, and fill new ones; off for timing
    std::uint32_t guard = wire::poison; ///< the word for both
    bool withhold_kernels = false;
    cl_program program = nullptr;     ///< the program of all kernels; null: any
    cl_command_queue queue = nullptr; ///< the queue that the host is given
    /// If set, runs every launch instead of the device.
    RemoteLauncher elsewhere = {};
    /// If set, replaces the placeholders that the host reads after a launch by data; for reads
    /// of up to `visible_bytes`.
    std::function<void(std::span<std::byte>)> reveal = {};
    std::size_t visible_bytes = 0;
    wire::Blocking blocking = wire::Blocking::as_written;
    KnownWords* known_words = nullptr; ///< gets what the host reads back, unless it is null
    /// If set, gets each launch before the host's own, and can repeat it any number of times.
    std::function<void(const Relaunch&)> timer = {};
};

} // namespace runner
