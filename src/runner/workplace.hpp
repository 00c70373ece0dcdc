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
    std::string build_log;
};

/// Waits for a command and gives its device time in nanoseconds. Throws cl::Error.
std::uint64_t duration(const cl::Event& event);

/// The device a runner works on, and the programs built for it so far.
class Workplace {
  public:
    explicit Workplace(cl::Device device);

    /// The program of this source; built once.
    const BuiltProgram& build(const wire::ProgramSource& source);
    wire::ProgramInfo inspect(const wire::ProgramSource& source);
    /// What a lab's function starts from.
    Setup setup(const cl::Program& program) const { return {device_, context_, queue_, program}; }

    /// A kernel of the grader's own, ready to be timed. Throws std::runtime_error, cl::Error.
    cl::Kernel prepare(const wire::Baseline& baseline);
    /// Device time of one launch of it, in nanoseconds.
    std::uint64_t time(const cl::Kernel& kernel, const wire::Baseline& baseline) const;
    void release_baseline() { buffers_.clear(); }

  private:
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
    std::map<std::pair<std::string, std::string>, BuiltProgram> programs_;
    std::vector<cl::Buffer> buffers_; ///< what the baseline's arguments live in
};

} // namespace runner
