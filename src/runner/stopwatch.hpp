#pragma once

#include "runner/workplace.hpp"
#include "wire/messages.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace runner {

/// A copy of buffers' contents, kept on the device.
class KeptContents {
  public:
    /// Copies the contents of `buffers`, by commands of `queue`. Throws cl::Error.
    KeptContents(cl::CommandQueue queue, const std::vector<cl::Buffer>& buffers);
    /// Restores the contents, and waits until they are there. Throws cl::Error.
    void restore() const;

  private:
    struct Kept {
        cl::Buffer buffer;
        cl::Buffer copy;
        std::size_t size; ///< bytes
    };

    cl::CommandQueue queue_;
    std::vector<Kept> kept_;
};

/// Makes the timed launch, from the same contents each time.
using Relaunch = std::function<cl::Event()>;

/// Times the launches of a call, and a baseline beside the first one: launch, baseline, baseline,
/// launch in each round, so that a drift of the machine's speed affects both alike.
class Stopwatch {
  public:
    /// Times up to `rounds` rounds, begins no further round of a launch after `seconds` (0: no
    /// limit), and stores the times in `reply`. A baseline without a kernel is none. Throws
    /// cl::Error, and std::runtime_error if the baseline does not build.
    Stopwatch(Workplace& workplace, const wire::Baseline& baseline, int rounds, double seconds,
              wire::CallReply& reply);
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { workplace_.release_baseline(); }

    /// Times one launch of the call. Throws cl::Error.
    void time(const Relaunch& launch);

  private:
    std::uint64_t time_baseline() const { return workplace_.time(kernel_, baseline_); }

    Workplace& workplace_;
    const wire::Baseline& baseline_;
    cl::Kernel kernel_; ///< of the baseline, or none
    std::size_t rounds_;
    double seconds_;
    wire::CallReply& reply_;
};

} // namespace runner
