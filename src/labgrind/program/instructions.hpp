#pragma once

#include "labgrind/program/dataflow.hpp"
#include "labgrind/vm/ir.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace labgrind {

constexpr std::uint64_t hash_factor = 1099511628211U; // of FNV-1a

enum class Action {
    none,
    allocate,
    load,
    store,
    vector_store, ///< vstoren
    branch,
    jump, ///< a branch without a condition
    call,
    ret,
    barrier,
    fence,
    atomic,
    copy,
};

/// The line of an instruction in the kernel file; 0: none.
inline int line_of(const ir::Instruction* instruction) { return instruction->line; }

/// What the text alone says about an instruction.
struct Instruction {
    Action action = Action::none;
    std::uint32_t site = 0;        ///< its number in this launch
    std::uint32_t additions = 0;   ///< of data, see DataFlow
    std::uint32_t comparisons = 0; ///< likewise
    bool takes_data = false;       ///< likewise, as an argument of a call
    bool acquires = false;         ///< a fence
    bool releases = false;         ///< likewise
    bool awaits_copies = false;    ///< a barrier for asynchronous copies only
    /// What an atomic operation does.
    struct Atomic {
        bool compares = false;       ///< it is a compare-and-swap
        bool exchanges = false;      ///< it is an exchange
        bool uses_result = false;    ///< its result is used
        bool verifies_loads = false; ///< a plain load before it does not decide alone
        /// The result of a compare-and-swap is compared with its new value, not the expected one.
        bool compared_with_new = false;
        /// The loads whose values a compare-and-swap expects, if these are all that it expects.
        std::vector<const ir::Instruction*> expected = {};
    };
    Atomic atomic;
    /// An index into an array of a known length.
    struct Index {
        const ir::Value* value = nullptr;
        std::int64_t length = 0;
    };
    std::vector<Index> indices; ///< of a load or a store
    bool stores_constant = false;
};

/// The instructions executed in a launch, numbered in the order of their first execution.
class Instructions {
  public:
    explicit Instructions(const ir::Module& module);

    const Instruction& facts_of(const ir::Instruction* instruction) {
        const Instruction* known = known_[instruction->number];
        return known != nullptr ? *known : add(instruction);
    }
    int line_of_site(std::uint32_t site) const { return line_of(sites_[site].source); }
    const ir::Instruction* at_site(std::uint32_t site) const { return sites_[site].source; }
    const Instruction::Atomic& atomic_of_site(std::uint32_t site) const {
        return sites_[site].instruction.atomic;
    }
    /// Whether it is an ordinary store of a constant, such as a first value.
    bool stores_constant(std::uint32_t site) const {
        return sites_[site].instruction.stores_constant;
    }

  private:
    struct Site {
        Instruction instruction;
        const ir::Instruction* source = nullptr;
    };

    const Instruction& add(const ir::Instruction* instruction);
    Instruction examine(const ir::Instruction* instruction) const;

    DataFlow data_flow_;
    std::deque<Site> sites_;                ///< those executed so far
    std::vector<const Instruction*> known_; ///< by number in the module; null: not executed yet
};

/// Values to go through, each once, while others are added.
class Worklist {
  public:
    explicit Worklist(const ir::Value* first) : values_{first} {}
    /// Adds `value`, unless it is null or has been added before.
    void add(const ir::Value* value) {
        if (value != nullptr && std::ranges::find(values_, value) == values_.end())
            values_.push_back(value);
    }
    /// The next one; null: none is left.
    const ir::Value* next() { return next_ < values_.size() ? values_[next_++] : nullptr; }

  private:
    std::vector<const ir::Value*> values_;
    std::size_t next_ = 0;
};

/// Whether `call` is of a function at which the work-items of a group wait for each other.
bool is_barrier(const ir::Instruction& call);

/// What a path through a function may contain.
struct Path {
    bool repeats = false;               ///< later iterations of loops
    bool barriers = false;              ///< barriers
    const ir::Block* avoided = nullptr; ///< it does not enter this block
};

/// Whether control can go from `from` to `to`, or to the end of the function if that is null.
bool reaches(const ir::Instruction* from, const ir::Instruction* to, const Path& path);

/// Whether a work-item that goes this way at `branch` does not come to an atomic operation that can set a
/// lock to 0, but would if it went the other way.
bool avoids_release(const ir::Instruction& branch, bool taken);

/// The variable that an address is computed from with indices only, or null.
const ir::Value* base_of(const ir::Value* pointer);

/// All instructions that use `value`, also through arithmetic, calls and private variables.
std::vector<const ir::Instruction*> users_of(const ir::Value* value);

/// Whether the address of a private variable, or of a part of it, is passed to a function.
bool is_passed_on(const ir::Instruction& variable);

/// All stores to a private variable, or to parts of it.
std::vector<const ir::Instruction*> stores_to(const ir::Instruction& variable);

/// Calls `visit` with `value` and each value that it is made of, also through private variables. `visit`
/// returns whether to continue with what an instruction is made of; nothing is behind a load from shared
/// memory.
template <class Visit> void visit_sources(const ir::Value* value, const Visit& visit) {
    Worklist values(value);
    while (const ir::Value* next = values.next()) {
        const ir::Instruction* one = ir::as_instruction(next);
        if (!visit(*next) || one == nullptr)
            continue;
        if (one->opcode != ir::Opcode::load) {
            for (const ir::Value* operand : one->operands)
                values.add(operand);
        } else if (const ir::Instruction* variable = variable_of(one->operands[0])) {
            for (const ir::Instruction* store : stores_to(*variable))
                values.add(store->operands[0]);
        }
    }
}

/// The private variable that `value` is loaded from, or null.
const ir::Instruction* loaded_variable(const ir::Value* value);

/// The private variables that `value` is computed from, each once.
std::vector<const ir::Instruction*> private_variables_behind(const ir::Value* value);

/// Loads from shared memory.
struct SharedLoads {
    std::vector<const ir::Instruction*> loads;
    /// The value can come from nothing else but constants and atomic operations: neither from an
    /// argument nor from a function of the program.
    bool are_all = true;
};

/// Those that `value` is computed from, also through private variables.
SharedLoads shared_loads_behind(const ir::Value* value);

/// The lines of those, of the ones in functions of the program that return such a value, and of the ones that
/// decide whether a private variable is set.
std::set<int> lines_of_shared_loads_behind(const ir::Value* value);

/// The loads of private variables that `value` is computed from; none if anything else than these,
/// constants, sizes and positions is part of it.
std::vector<const ir::Instruction*> variables_behind(const ir::Value* value);

/// Whether the result of a call is used. A variable that is never read is no use.
bool is_used(const ir::Instruction& call);

/// Whether it calls a function of the program, which can load anything.
bool calls_own_function(const ir::Instruction& one);

/// Whether the value is a constant 0.
bool is_zero(const ir::Value& value);

/// Loads of private variables and calls of work-item functions, such as get_global_id(), of which the
/// indices in `pointer` are computed. Those behind the value of a single variable, if it has only one.
std::vector<const ir::Instruction*> inputs_of_indices(const ir::Value* pointer);

/// The private variable that alone decides where `branch` goes, or null.
const ir::Instruction* flag_of(const ir::Instruction* branch);

/// The address operand of a memory access, or null.
const ir::Value* pointer_operand(const ir::Instruction* instruction, bool write);

} // namespace labgrind
