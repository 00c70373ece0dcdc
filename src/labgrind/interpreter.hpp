#pragma once

#include "labgrind/changes.hpp"
#include "labgrind/program/atomic_mistakes.hpp"
#include "labgrind/program/portability.hpp"
#include "labgrind/vm/clang.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace labgrind {

class Observer;
class Replay;

/// Runs launches on a virtual machine and watches them. No student host code runs in its process.
class Interpreter {
  public:
    Interpreter();
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Runs a launch on the buffers in `memory` and leaves its results there, see wire::Interpret. If
    /// work-items change the same word by compare-and-swap, a watched launch runs again under
    /// contention: a work-item that gives up then is a finding. Errors in the program or the launch
    /// are not thrown, but reported in the analysis.
    wire::Analysis run(const wire::Interpret& request, std::span<std::byte> memory);

  private:
    struct Program {
        Program(const wire::ProgramSource& source, const Compiled& compiled);

        ir::Module module;
        std::string warnings;           ///< see Compiled
        std::optional<Changes> changes; ///< once they have been asked for
        std::optional<Difference> difference;
        AtomicMistake atomic_mistake; ///< see explain_atomics()
        std::map<std::string, AtomicMistake>
            split_updates;                    ///< by kernel, see Observer::split_update()
        std::size_t long_searches = 0;        ///< see find_other_schedules()
        bool has_mistake_in_schedule = false; ///< without a change, whatever the results are
    };

    Program& build(const wire::ProgramSource& source);
    bool run(const wire::Interpret& request, Program& program, Replay& replay,
             wire::Analysis& analysis);
    void watch(const wire::Interpret& request, Program& program, Replay& replay,
               wire::Analysis& analysis);
    void watch_ends(Replay& replay, wire::Analysis& analysis);

    std::unique_ptr<Observer> observer_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Program>> programs_;
};

} // namespace labgrind
