#pragma once

#include "labgrind/ir.hpp"

#include <cstdint>
#include <unordered_set>

namespace labgrind {

/// Where a program's data goes, read off its text: what may be is taken to be. Data is what comes out
/// of memory that the host or a kernel has filled. It is to be told from numbers that only say where
/// something lies or whether something happens.
class DataFlow {
  public:
    explicit DataFlow(const ir::Module& module);

    /// How often an execution of `instruction` makes one number out of two: additions, and whatever
    /// else may stand for them where both come from data.
    std::uint32_t additions(const ir::Instruction& instruction) const;

  private:
    using Values = std::unordered_set<const ir::Value*>;

    void find_escapes(const ir::Module& module);
    /// Each adds what follows from an instruction and what is known already.
    void follow_forwards(const ir::Instruction& instruction);
    void follow_backwards(const ir::Instruction& instruction);
    void follow_call_forwards(const ir::Instruction& call);
    void follow_call_backwards(const ir::Instruction& call);

    bool loads_data(const ir::Value* pointer) const;
    bool gives_data(const ir::Instruction& call) const;
    bool is_data(const ir::Value* value) const { return data_.count(value) != 0; }
    bool matters(const ir::Value* value) const { return matters_.count(value) != 0; }
    std::uint32_t lanes_of_data(const ir::Instruction& instruction) const;
    std::uint32_t additions_of_call(const ir::Instruction& call) const;

    Values escaping_;      ///< private variables that something else than loads and stores knows
    Values data_;          ///< values that come from data
    Values holds_data_;    ///< private variables that hold such values, functions that return them
    Values matters_;       ///< values that go into data, not only into addresses and decisions
    Values holds_matters_; ///< private variables and functions of which that is so
};

} // namespace labgrind
