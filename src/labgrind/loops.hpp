#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Instruction;
} // namespace llvm

namespace labgrind {

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
    std::vector<std::uint64_t> around(const llvm::Instruction* instruction,
                                      const std::vector<const llvm::CallInst*>& calls);
    /// The same for loops between whose braces it stands in the source, also where it leaves them.
    std::vector<std::uint64_t> braces_around(const llvm::Instruction* instruction,
                                             const std::vector<const llvm::CallInst*>& calls);

  private:
    struct Function;
    Function& of(const llvm::Function* function);

    std::unordered_map<const llvm::Function*, std::unique_ptr<Function>> functions_;
};

} // namespace labgrind
