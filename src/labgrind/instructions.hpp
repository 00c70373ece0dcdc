#pragma once

#include "labgrind/dataflow.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class Module;
class Type;
class User;
class Value;
} // namespace llvm

namespace labgrind {

constexpr std::uint64_t hash_factor = 1099511628211U; // of FNV-1a

/// The first bytes of a value as a number: all of them, or eight.
inline std::uint64_t number(const unsigned char* bytes, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, std::min(size, sizeof value));
    return value;
}

enum class Action {
    none,
    allocate,
    load,
    store,
    vector_store, ///< vstoren
    branch,
    jump, ///< a branch without a condition
    call,
    give_back,
    barrier,
    fence,
    atomic,
    copy,
};

/// What is known of an instruction from its text alone.
struct Instruction {
    Action action = Action::none;
    std::uint32_t site = 0;      ///< its number in this launch
    std::uint32_t additions = 0; ///< of data, see DataFlow
    bool acquires = false;       ///< a fence
    bool releases = false;       ///< likewise
    bool awaits_copies = false;  ///< a barrier for asynchronous copies only
    /// What an atomic operation is for.
    struct Atomic {
        bool compares = false;  ///< it is a compare-and-swap
        bool exchanges = false; ///< it is an exchange
        bool looks = false;     ///< what it gives is used
        bool rechecks = false;  ///< a plain load before it decided nothing by itself
    };
    Atomic atomic;
    /// An index into an array of a known length.
    struct Index {
        const llvm::Value* value = nullptr;
        std::int64_t length = 0;
    };
    std::vector<Index> indices; ///< of a load or a store
};

/// The instructions met in a launch, numbered as they come.
class Instructions {
  public:
    explicit Instructions(const llvm::Module& module) : data_flow_(module) {}

    const Instruction& know(const llvm::Instruction* instruction);
    int line_of_site(std::uint32_t site) const { return lines_[site]; }

  private:
    Instruction examine(const llvm::Instruction* instruction);

    DataFlow data_flow_;
    std::unordered_map<const llvm::Instruction*, Instruction> known_;
    const llvm::Instruction* last_ = nullptr;
    const Instruction* last_known_ = nullptr;
    std::vector<int> lines_;
};

/// The line of the kernel file that an instruction was made from; 0: none.
int line_of(const llvm::Instruction* instruction);

/// "atomic_cmpxchg" from "_Z14atomic_cmpxchgPU3AS1Vjjj"; other names as they are.
std::string plain_name(const llvm::Function* function);

/// Elements of a vector type; 1 for others.
std::uint32_t lanes_of(const llvm::Type* type);

/// The variable that an address is computed from by indices alone, or null.
const llvm::Value* base_of(const llvm::Value* pointer);

/// Whatever `value` goes into, also through arithmetic, calls and private variables.
std::vector<const llvm::User*> users_of(const llvm::Value* value);

/// The operand that a memory access takes its address from, or null.
const llvm::Value* pointer_operand(const llvm::Instruction* instruction, bool write);

} // namespace labgrind
