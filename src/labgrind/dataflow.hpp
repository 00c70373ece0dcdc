#pragma once

#include <cstdint>
#include <unordered_set>

namespace llvm {
class CallInst;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace labgrind {

/// Where a program's data goes, read off its text: what may be is taken to be. Data is what comes out
/// of memory that the host or a kernel has filled. It is to be told from numbers that only say where
/// something lies or whether something happens.
class DataFlow {
  public:
    explicit DataFlow(const llvm::Module& module);

    /// How often an execution of `instruction` makes one number out of two: additions, and whatever
    /// else may stand for them where both come from data.
    std::uint32_t additions(const llvm::Instruction& instruction) const;

  private:
    using Values = std::unordered_set<const llvm::Value*>;

    void find_escapes(const llvm::Module& module);
    /// Each adds what follows from an instruction and what is known already.
    void follow_forwards(const llvm::Instruction& instruction);
    void follow_backwards(const llvm::Instruction& instruction);
    void follow_call_backwards(const llvm::CallInst& call);

    bool loads_data(const llvm::Value* pointer) const;
    bool gives_data(const llvm::CallInst& call) const;
    bool is_data(const llvm::Value* value) const { return data_.count(value) != 0; }
    bool matters(const llvm::Value* value) const { return matters_.count(value) != 0; }
    std::uint32_t lanes_of_data(const llvm::Instruction& instruction) const;
    std::uint32_t additions_of_call(const llvm::CallInst& call) const;

    Values escaping_;      ///< private variables that something else than loads and stores knows
    Values data_;          ///< values that come from data
    Values holds_data_;    ///< private variables that hold such values, functions that return them
    Values matters_;       ///< values that go into data, not only into addresses and decisions
    Values holds_matters_; ///< private variables and functions of which that is so
};

} // namespace labgrind
