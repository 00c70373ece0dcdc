#pragma once

#include "grader/sealed_call.hpp"

#include <memory>
#include <string>

namespace grader {

/// The process that runs kernels if student host code is not trusted: it has the device and none of
/// that code. It is restarted after it dies.
class DeviceProcess {
  public:
    /// `start` starts a process; `index` is the device to open, of --list-devices, or -1 for the
    /// best. Throws Unusable.
    DeviceProcess(std::function<std::unique_ptr<RunnerProcess>()> start, int index);

    /// What was opened.
    const wire::OpenedDevice& opened() const { return opened_; }

    /// What a program contains. If the compiler dies or is endless, the program counts as not
    /// built.
    wire::ProgramInfo inspect(const wire::ProgramSource& program, const Budget& budget);

    /// Executes a launch. If the process dies, the answer says so.
    Carried carry_out(const wire::CarryOut& request, const wire::UniqueFd& memory,
                      const Budget& budget);

    /// What printf in kernels and the compilers printed since the last call of this function.
    std::string take_output();

  private:
    Answer ask(const wire::Request& request, const std::vector<const wire::UniqueFd*>& fds,
               const Budget& budget);
    void open();

    std::function<std::unique_ptr<RunnerProcess>()> start_;
    wire::OpenedDevice opened_;
    std::unique_ptr<RunnerProcess> process_;
    std::string output_;
};

} // namespace grader
