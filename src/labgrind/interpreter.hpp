#pragma once

#include "labgrind/portability.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace labgrind {

class Observer;

/// Runs launches on a virtual machine and watches them. No student host code runs in its process.
class Interpreter {
  public:
    Interpreter();
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Runs a kernel of `source` on the buffers in `memory` and leaves its results there. If
    /// work-items change the same word by compare-and-swap, the launch runs again under contention:
    /// a work-item that gives up then is a finding. `contended`: leaves the results of that run.
    /// `in_lock_step`: leaves those of Replay::run_in_lock_step(), if there are any. Errors in the
    /// program or the launch are not thrown, but reported in the analysis.
    wire::Analysis run(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                       std::span<std::byte> memory, bool contended = false, std::uint64_t seed = 0,
                       bool in_lock_step = false);

    /// The same for the first and the last group only, once. A work-item that waits endlessly for
    /// one of the other groups is not a finding.
    wire::Analysis run_ends(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                            std::span<std::byte> memory);

    /// Only computes: leaves the results of the kernel in the buffers, those of lock step if
    /// `in_lock_step`.
    wire::Analysis compute(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                           std::span<std::byte> memory, bool in_lock_step = false);

    /// Leaves the results of the schedule with this number in the buffers. `explain`: add a finding
    /// that describes the schedule; it is a mistake only if the result is wrong.
    wire::Analysis run_order(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                             std::span<std::byte> memory, std::uint64_t seed, int order,
                             bool explain);

    /// Leaves the results of the kernel in the buffers and records what it does. `order`: in the
    /// schedule with this number, as run_order() does; 0: one group after the other, in lock step
    /// or not, and the schedules with other results are tried if `seed` is not 0.
    wire::Analysis trace(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                         std::span<std::byte> memory, std::uint64_t seed, int order,
                         bool in_lock_step = false);

  private:
    struct Program {
        explicit Program(const wire::ProgramSource& source);

        ir::Module module;
        std::optional<Difference> difference;
        std::string atomic_mistake; ///< see explain_atomics()
    };

    const Program& build(const wire::ProgramSource& source);
    /// Calls `analyze` with the launch, ready to run, and the analysis to fill in.
    template <class Analyze>
    wire::Analysis rehearse(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                            std::span<std::byte> memory, const Analyze& analyze);

    std::unique_ptr<Observer> observer_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Program>> programs_;
};

} // namespace labgrind
