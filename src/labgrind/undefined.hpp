#pragma once

#include "labgrind/oclgrind.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace llvm {
class AllocaInst;
class CallInst;
} // namespace llvm

namespace labgrind {

/// Where a value without a meaning came from.
struct Origin {
    unsigned space = oclgrind::AddrSpacePrivate;
    std::size_t address = 0;
    const llvm::Instruction* load = nullptr; ///< the instruction that read it
};

/// Which bytes of a value nobody wrote, one bit each. Values above 64 bytes count as written.
struct Undefined {
    std::uint64_t bytes = 0;
    Origin origin;
};

/// Which bytes of a piece of memory nobody wrote.
class DefinedBytes {
  public:
    void reset(std::size_t size);         ///< nobody has written any of `size` bytes
    void forget() { undefined_.clear(); } ///< all are written
    void write(std::size_t offset, std::size_t size);
    void mark(std::size_t offset, std::size_t size, std::uint64_t undefined);
    std::uint64_t read(std::size_t offset, std::size_t size) const;
    /// Takes over what is so of `size` bytes of another piece of memory.
    void copy(std::size_t offset, const DefinedBytes& from, std::size_t from_offset,
              std::size_t size);

  private:
    std::vector<char> undefined_;
};

/// Follows the values of one work-item that come from memory nobody wrote, through its registers and
/// private memory. That one is read is no mistake; that a result depends on it is.
class UndefinedValues {
  public:
    void on_alloca(std::size_t buffer, const llvm::AllocaInst* instruction, std::size_t size);
    void on_private_allocation(std::size_t buffer);
    /// A load from private memory, or one of `undefined` from elsewhere, by the instruction that
    /// executes now.
    void on_private_load(std::size_t buffer, std::size_t address, std::size_t offset,
                         std::size_t size, const llvm::Instruction* instruction);
    void on_load(std::uint64_t undefined, const Origin& origin);
    void on_private_store(std::size_t buffer, std::size_t offset, std::size_t size);

    /// `instruction` has been executed: works out which bytes of its result have no meaning.
    void on_executed(const oclgrind::WorkItem* item, const llvm::Instruction* instruction);
    /// Parameters of a function defined in the program take over their arguments' state.
    void on_call(const oclgrind::WorkItem* item, const llvm::CallInst* call);
    /// The result of `call` is what its function returned by `instruction`.
    void on_return(const llvm::Instruction* instruction, const llvm::CallInst* call);

    /// What is undefined of `value`, if anything.
    std::optional<Undefined> of(const llvm::Value* value) const;
    /// The variable that a private buffer is, or null.
    const llvm::AllocaInst* variable(std::size_t buffer) const;
    /// The state of a private buffer's bytes, or null where all of them are written.
    DefinedBytes* bytes(std::size_t buffer);

    /// Remembers that a private store left undefined bytes.
    void mark_private(std::size_t buffer, std::size_t offset, std::size_t size,
                      const Undefined& value);

  private:
    struct Variable {
        const llvm::AllocaInst* instruction = nullptr;
        DefinedBytes bytes;
        Origin origin; ///< of undefined values that were stored here
    };

    std::optional<Undefined> result_of(const oclgrind::WorkItem* item,
                                       const llvm::Instruction* instruction) const;
    std::optional<Undefined> selected(const oclgrind::WorkItem* item,
                                      const llvm::CallInst* call) const;
    std::optional<Undefined> lane_by_lane(const llvm::Instruction* instruction) const;
    std::optional<Undefined> byte_by_byte(const oclgrind::WorkItem* item,
                                          const llvm::Instruction* instruction) const;
    void copy_private(const oclgrind::Memory& memory, std::size_t from, std::size_t to);
    static bool is_select(const llvm::CallInst* call);
    void set(const llvm::Value* value, const std::optional<Undefined>& undefined);

    std::vector<Variable> variables_; ///< by private buffer
    std::unordered_map<const llvm::Value*, Undefined> values_;
    std::optional<Undefined> loaded_; ///< by the instruction that executes now
};

} // namespace labgrind
