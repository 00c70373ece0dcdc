#pragma once

#include "grader/runner_process.hpp"
#include "grader/seal.hpp"

#include <functional>
#include <vector>

namespace grader {

/// How a launch ended that was carried out, and what was seen of it.
struct Carried {
    LaunchEnd end;
    wire::CallReply seen;
};

/// Carries a launch out where no host code of a student's is, on true data.
using Carrier = std::function<Carried(const wire::KernelLaunch&, const wire::UniqueFd& memory)>;

/// A call of a student's function that has nothing but tokens, and what its launches were seen to
/// do. What the runner hands over may be anything at all: it is looked at before it is used.
class SealedCall {
  public:
    /// `max_memory`: bytes that a launch may have at most, for all its arguments.
    SealedCall(Seal& seal, Carrier carrier, std::size_t max_memory = std::size_t{1} << 30)
        : seal_(seal), carrier_(std::move(carrier)), max_memory_(max_memory) {}

    /// Carries out a launch that the runner hands over, on a copy of its memory. A process that died
    /// of it is the end of the call.
    LaunchEnd carry_out(const wire::KernelLaunch& launch, const wire::UniqueFd& memory);

    /// Puts data in the place of tokens that the host has read, as far as it may see it.
    wire::LaunchDone reveal(const wire::Reveal& request, const wire::UniqueFd& memory);

    /// Puts what was seen in the place of what the runner says of its launches.
    void settle(wire::CallReply& reply) const;

  private:
    Death death_in(const wire::KernelLaunch& launch, Death death) const;
    void note(const wire::KernelLaunch& launch, const Carried& carried);

    Seal& seal_;
    Carrier carrier_;
    std::size_t max_memory_;
    wire::CallReply seen_;  ///< of all launches so far, times added up
    std::size_t asked_ = 0; ///< launches, those that did not take place included
};

} // namespace grader
