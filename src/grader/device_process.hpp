#pragma once

#include "grader/sealed_call.hpp"

#include <memory>
#include <string>

namespace grader {

/// The process that carries out kernels where student host code is not to be trusted: it has the
/// device and none of that code. Started again after it has died.
class DeviceProcess {
  public:
    /// `start` starts a process; `index` is the device to open, of --list-devices, or -1 for the
    /// best. Throws Unusable.
    DeviceProcess(std::function<std::unique_ptr<RunnerProcess>()> start, int index);

    /// What was opened.
    const wire::OpenedDevice& opened() const { return opened_; }

    /// What a program has; a compiler that dies or never ends has not built it.
    wire::ProgramInfo inspect(const wire::ProgramSource& program, const Budget& budget);

    /// Carries out a launch. The device's death is in the answer.
    Carried carry_out(const wire::CarryOut& request, const wire::UniqueFd& memory,
                      const Budget& budget);

    /// What was printed since the last call of this: by printf in kernels, by compilers.
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
