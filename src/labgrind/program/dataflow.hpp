#pragma once

#include "labgrind/vm/ir.hpp"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace labgrind {

/// The private variable that a pointer points into, or null.
const ir::Instruction* variable_of(const ir::Value* pointer);

/// By parameter: the first line of the kernel itself that stores through it; 0: none.
std::vector<int> store_lines(const ir::Function& kernel);

/// The flow of data through a program, conservatively, from its text alone. Data comes from memory
/// that the host or a kernel has filled. Numbers that only determine an address or a decision are
/// not data.
class DataFlow {
  public:
    explicit DataFlow(const ir::Module& module);

    /// How often an execution of `instruction` combines data with another number: additions, and
    /// operations that can replace them if both operands are data.
    std::uint32_t additions(const ir::Instruction& instruction) const;

    /// How often an execution of `instruction` makes a decision by data. Comparisons can replace
    /// additions.
    std::uint32_t comparisons(const ir::Instruction& instruction) const;

    /// Whether an argument of a call is data, not an address.
    bool takes_data(const ir::Instruction& call) const { return lanes_of_data(call) != 0; }

  private:
    using Values = std::unordered_set<const ir::Value*>;

    void find_escapes(const ir::Module& module);
    /// Each adds what follows from an instruction and from what is already known.
    void follow_forwards(const ir::Instruction& instruction);
    void follow_backwards(const ir::Instruction& instruction);
    void follow_call_forwards(const ir::Instruction& call);
    void follow_call_backwards(const ir::Instruction& call);

    bool loads_data(const ir::Value* pointer) const;
    bool gives_data(const ir::Instruction& call) const;
    bool is_data(const ir::Value* value) const { return data_.contains(value); }
    bool matters(const ir::Value* value) const { return matters_.contains(value); }
    std::uint32_t lanes_of_data(const ir::Instruction& instruction) const;
    std::uint32_t additions_of_call(const ir::Instruction& call) const;

    Values escaping_;      ///< private variables that are not only loaded and stored
    Values data_;          ///< values that come from data
    Values holds_data_;    ///< private variables that hold data, and functions that return it
    Values matters_;       ///< values that data depends on, not only addresses and decisions
    Values holds_matters_; ///< private variables and functions whose values are in matters_
};

} // namespace labgrind
