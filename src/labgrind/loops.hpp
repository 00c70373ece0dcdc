#pragma once

#include "labgrind/ir.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace labgrind {

struct Loop;

/// The loops of a program, worked out as they are asked for.
class Loops {
  public:
    Loops();
    ~Loops();
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;
    Loops(Loops&&) = delete;
    Loops& operator=(Loops&&) = delete;

    /// The loops around `instruction`, innermost first, going on in the callers (`calls`, outermost
    /// first). Equal numbers stand for the same loop reached through the same calls.
    std::vector<std::uint64_t> around(const ir::Instruction* instruction,
                                      const std::vector<const ir::Instruction*>& calls);
    /// The innermost of them, unless it counts how often it goes round; 0: none.
    std::uint64_t spin_around(const ir::Instruction* instruction,
                              const std::vector<const ir::Instruction*>& calls);
    /// The same for loops between whose braces it stands in the source, also where it leaves them.
    std::vector<std::uint64_t> braces_around(const ir::Instruction* instruction,
                                             const std::vector<const ir::Instruction*>& calls);
    /// Whether control that goes from one block to another enters a loop at its head: false from
    /// outside, true from inside, nothing if it does not.
    std::optional<bool> jump(const ir::Block* from, const ir::Block* to);
    /// The heads of the loops around `instruction` in its own function, innermost first.
    std::vector<const ir::Block*> heads_around(const ir::Instruction* instruction);

    /// Whether a loop around `read`, a load or an atomic operation, goes on or ends by what it gives.
    bool is_ended_by(const ir::Instruction* read);
    /// Whether the innermost loop around `read` does nothing but read: it waits for others.
    bool only_waits_around(const ir::Instruction* read);

  private:
    struct Function;
    const Function& of(const ir::Function* function);

    std::unordered_map<const ir::Function*, std::unique_ptr<Function>> functions_;
    const Function* last_ = nullptr; ///< asked for; jumps mostly stay in a function
    std::unordered_map<const ir::Instruction*, bool> ended_by_;
    std::unordered_map<const Loop*, bool> only_wait_;
};

} // namespace labgrind
