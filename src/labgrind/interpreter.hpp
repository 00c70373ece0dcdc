#pragma once

#include "labgrind/portability.hpp"
#include "wire/messages.hpp"
#include "wire/span.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace labgrind {

class Observer;

/// Carries out launches on our own machine and watches them. No student host code is anywhere near.
class Interpreter {
  public:
    Interpreter();
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;
    Interpreter(Interpreter&&) = delete;
    Interpreter& operator=(Interpreter&&) = delete;

    /// Runs a kernel of `source` on the buffers in `memory`, which it leaves as the kernel does.
    /// Where work-items change the same word by compare-and-swap, it runs again with all of them in
    /// each other's way: whoever gives up then is a finding. `contended`: leave what that run makes
    /// of the buffers. Does not throw for anything that is wrong with program or launch: the
    /// analysis says so.
    wire::Analysis run(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                       wire::Span<std::byte> memory, bool contended = false,
                       std::uint64_t seed = 0);

    /// The same for the first and the last group alone, once. Nobody there waits for the others: that
    /// somebody does without end is no finding.
    wire::Analysis run_ends(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                            wire::Span<std::byte> memory);

    /// Leaves what the kernel makes of the buffers, and looks at nothing else.
    wire::Analysis compute(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                           wire::Span<std::byte> memory);

    /// Leaves what the drawn order of this number makes of the buffers. `explain`: a finding says what
    /// happens in that order; it is a mistake only if the result is wrong.
    wire::Analysis run_order(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                             wire::Span<std::byte> memory, std::uint64_t seed, int order,
                             bool explain);

  private:
    struct Program {
        explicit Program(const wire::ProgramSource& source);

        ir::Module module;
        std::optional<Difference> difference;
    };

    const Program& build(const wire::ProgramSource& source);
    /// Calls `analyse` with the launch, ready to run, and the analysis that it fills in.
    template <class Analyse>
    wire::Analysis rehearse(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                            wire::Span<std::byte> memory, const Analyse& analyse);

    std::unique_ptr<Observer> observer_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Program>> programs_;
};

} // namespace labgrind
