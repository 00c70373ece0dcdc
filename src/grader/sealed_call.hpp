#pragma once

#include "grader/runner_process.hpp"
#include "grader/seal.hpp"

#include <functional>
#include <vector>

namespace grader {

/// How an executed launch ended, and what was observed.
struct Carried {
    LaunchEnd end;
    wire::CallReply seen;
};

/// Executes a launch on the real data, in a process without student host code.
using Carrier = std::function<Carried(const wire::KernelLaunch&, const wire::UniqueFd& memory)>;

/// A call of a student's function that gets only placeholders, and what was observed of its
/// launches. The runner can hand over anything, so everything is checked before it is used.
class SealedCall {
  public:
    /// `max_memory`: the most bytes of all arguments of a launch.
    SealedCall(Seal& seal, Carrier carrier, std::size_t max_memory = std::size_t{1} << 30)
        : seal_(seal), carrier_(std::move(carrier)), max_memory_(max_memory) {}

    /// Executes a launch that the runner hands over, on a copy of its memory. If the process dies,
    /// the call ends.
    LaunchEnd carry_out(const wire::KernelLaunch& launch, const wire::UniqueFd& memory);

    /// Replaces the placeholders that the host has read with data, as far as the host may see it.
    wire::LaunchDone reveal(const wire::Reveal& request, const wire::UniqueFd& memory);

    /// Replaces what the runner reports about its launches with what was observed.
    void settle(wire::CallReply& reply) const;

  private:
    RunnerEnd death_in(const wire::KernelLaunch& launch, RunnerEnd runner_end) const;
    void note(const wire::KernelLaunch& launch, const Carried& carried);

    Seal& seal_;
    Carrier carrier_;
    std::size_t max_memory_;
    wire::CallReply seen_;  ///< of all launches so far, times added up
    std::size_t asked_ = 0; ///< launches, including rejected ones
};

} // namespace grader
