#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace runner {

/// A program on the open device, or the reason why there is none.
struct BuiltProgram {
    cl::Program program;
    bool built = false;
    std::string build_log; ///< with warnings, if there are any
};

/// Waits for a command and returns its device time in nanoseconds. Throws cl::Error.
std::uint64_t duration(const cl::Event& event);

/// The device that a runner uses, and the programs built for it so far.
class Workplace {
  public:
    explicit Workplace(cl::Device device);

    /// Returns the program of this source, which is built only once.
    const BuiltProgram& build(const wire::ProgramSource& source);
    wire::ProgramInfo inspect(const wire::ProgramSource& source);
    /// Returns the setup for a lab's function.
    Setup setup(const cl::Program& program) const { return {device_, context_, queue_, program}; }

    /// Prepares a kernel of the grader for timing. Throws std::runtime_error, cl::Error.
    cl::Kernel prepare(const wire::Baseline& baseline);
    /// Returns the device time of one launch of it, in nanoseconds.
    std::uint64_t time(const cl::Kernel& kernel, const wire::Baseline& baseline) const;
    void release_baseline() { buffers_.clear(); }

  private:
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
    std::map<std::pair<std::string, std::string>, BuiltProgram> programs_;
    std::vector<cl::Buffer> buffers_; ///< of the baseline's arguments
};

} // namespace runner
