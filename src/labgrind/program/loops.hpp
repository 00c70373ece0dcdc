#pragma once

#include "labgrind/vm/ir.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace labgrind {

struct Loop;

/// The loops of a program, computed when they are needed.
class Loops {
  public:
    Loops();
    ~Loops();
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;

    /// The loops around `instruction`, innermost first, followed by those of its callers (`calls`,
    /// outermost first). Equal numbers mean the same loop, reached through the same calls.
    std::vector<std::uint64_t> around(const ir::Instruction* instruction,
                                      const std::vector<const ir::Instruction*>& calls);
    /// The innermost of them, unless it counts its iterations; 0: none.
    std::uint64_t spin_around(const ir::Instruction* instruction,
                              const std::vector<const ir::Instruction*>& calls);
    /// The loops whose braces enclose `instruction` in the source, even if it leaves them.
    std::vector<std::uint64_t> enclosing_loops(const ir::Instruction* instruction,
                                               const std::vector<const ir::Instruction*>& calls);
    /// Whether a jump from one block to another enters a loop at its head: false from outside, true
    /// from inside, nothing if it does not.
    std::optional<bool> jump(const ir::Block* from, const ir::Block* to);
    /// The heads of the loops around `instruction` in its own function, innermost first.
    std::vector<const ir::Block*> heads_around(const ir::Instruction* instruction);

    /// What decides if a loop ends.
    struct Condition {
        const ir::Instruction* branch = nullptr;   ///< null: it is not the only one that leaves
        std::vector<const ir::Instruction*> reads; ///< see variables_behind()
        bool is_fixed = false;                     ///< the loop changes none of these
    };
    /// That of the innermost loop around `instruction` in its own function; nothing if there is none.
    std::optional<Condition> condition_around(const ir::Instruction* instruction);

    /// A step of a variable, such as distance *= 2, that only some work-items make in an iteration.
    struct SkippedStep {
        const ir::Instruction* store = nullptr;
        const ir::Instruction* branch = nullptr; ///< it asks for the work-item's number
    };
    /// That of a private variable in a loop with a barrier; nothing if there is none.
    std::optional<SkippedStep> skipped_step(const ir::Instruction& variable);

    /// Whether the result of `read`, a load or an atomic operation, decides if a loop around it
    /// ends.
    bool is_ended_by(const ir::Instruction* read);
    /// Whether the innermost loop around `read` only reads: it waits for others.
    bool only_waits_around(const ir::Instruction* read);

  private:
    struct Function;
    const Function& of(const ir::Function* function);
    bool decides_end(const Loop* innermost, const ir::Instruction* read);

    std::vector<std::unique_ptr<Function>> functions_; ///< by number; null: not needed yet
    std::unordered_map<const ir::Instruction*, bool> ended_by_;
    std::unordered_map<const Loop*, bool> only_wait_;
};

/// Whether the result of `read` decides about a branch, in its own function or in a caller.
bool decides_branch(const ir::Instruction& read);

/// Whether `value` depends on the number of the work-item, and not only on that of its group.
bool asks_for_item(const ir::Value& value);

} // namespace labgrind
