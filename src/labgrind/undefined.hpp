#pragma once

#include "labgrind/ir.hpp"
#include "labgrind/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace labgrind {

/// Where a value without a meaning came from.
struct Origin {
    unsigned space = ir::private_space;
    ir::Address address = 0;
    const ir::Instruction* load = nullptr; ///< the instruction that read it
};

/// Which bytes of a value nobody wrote, one bit each. Values above 64 bytes count as written.
struct Undefined {
    std::uint64_t bytes = 0;
    Origin origin;
};

/// Which bytes of a piece of memory nobody wrote.
class DefinedBytes {
  public:
    void reset(std::size_t size); ///< nobody has written any of `size` bytes
    void forget() { reset(0); }   ///< all are written
    void write(std::size_t offset, std::size_t size);
    void mark(std::size_t offset, std::size_t size, std::uint64_t undefined);
    std::uint64_t read(std::size_t offset, std::size_t size) const;
    /// Takes over what is so of `size` bytes of another piece of memory.
    void copy(std::size_t offset, const DefinedBytes& from, std::size_t from_offset,
              std::size_t size);
    /// Whether all have been written.
    bool is_complete() const { return missing_ == 0; }

  private:
    void set(std::size_t at, bool undefined);

    std::vector<char> undefined_;
    std::size_t missing_ = 0; ///< bytes that are undefined
};

/// Follows the values of one work-item that come from memory nobody wrote, through its registers and
/// private memory. That one is read is no mistake; that a result depends on it is.
class UndefinedValues {
  public:
    void on_alloca(std::size_t buffer, const ir::Instruction* instruction, std::size_t size);
    /// A load from private memory, or one of `undefined` from elsewhere, by the instruction that
    /// executes now.
    void on_private_load(std::size_t buffer, ir::Address address, std::size_t offset,
                         std::size_t size, const ir::Instruction* instruction) {
        if (is_incomplete(buffer))
            load_private(variables_[buffer], address, offset, size, instruction);
    }
    void on_load(std::uint64_t undefined, const Origin& origin);
    void on_private_store(std::size_t buffer, std::size_t offset, std::size_t size) {
        if (is_incomplete(buffer))
            variables_[buffer].bytes.write(offset, size);
    }

    /// `instruction` has been executed: works out which bytes of its result have no meaning.
    void on_executed(const vm::WorkItem* item, const ir::Instruction* instruction) {
        if (loaded_ || !values_.empty())
            follow(item, instruction);
    }
    /// Parameters of a function defined in the program take over their arguments' state.
    void on_call(const vm::WorkItem* item, const ir::Instruction* call);
    /// The result of `call` is what its function returned by `instruction`.
    void on_return(const ir::Instruction* instruction, const ir::Instruction* call);

    /// What is undefined of `value`, if anything.
    std::optional<Undefined> of(const ir::Value* value) const {
        return values_.empty() ? std::nullopt : find(value);
    }
    /// The variable that a private buffer is, or null.
    const ir::Instruction* variable(std::size_t buffer) const;
    /// The state of a private buffer's bytes, or null where all of them are written.
    DefinedBytes* bytes(std::size_t buffer);

    /// Remembers that a private store left undefined bytes.
    void mark_private(std::size_t buffer, std::size_t offset, std::size_t size,
                      const Undefined& value);

  private:
    struct Variable {
        const ir::Instruction* instruction = nullptr;
        DefinedBytes bytes;
        Origin origin; ///< of undefined values that were stored here
    };

    /// Private variables are read and written all the time, and nearly always complete.
    bool is_incomplete(std::size_t buffer) const {
        return buffer < variables_.size() && !variables_[buffer].bytes.is_complete();
    }
    void load_private(const Variable& variable, ir::Address address, std::size_t offset,
                      std::size_t size, const ir::Instruction* instruction);
    void follow(const vm::WorkItem* item, const ir::Instruction* instruction);
    std::optional<Undefined> find(const ir::Value* value) const;
    void set(const ir::Value* value, const std::optional<Undefined>& undefined);

    std::optional<Undefined> result_of(const vm::WorkItem* item,
                                       const ir::Instruction* instruction) const;
    std::optional<Undefined> inserted(const vm::WorkItem* item,
                                      const ir::Instruction* insert) const;
    std::optional<Undefined> extracted(const vm::WorkItem* item,
                                       const ir::Instruction* extract) const;
    std::optional<Undefined> shuffled(const ir::Instruction* shuffle) const;
    std::optional<Undefined> chosen(const vm::WorkItem* item, const ir::Instruction* select) const;
    std::optional<Undefined> arrived(const vm::WorkItem* item, const ir::Instruction* phi) const;
    std::optional<Undefined> selected(const vm::WorkItem* item, const ir::Instruction* call) const;
    std::optional<Undefined> lane_by_lane(const ir::Instruction* instruction) const;
    std::optional<Undefined> byte_by_byte(const vm::WorkItem* item,
                                          const ir::Instruction* instruction) const;
    void forget(std::size_t buffer);
    void copy_private(const vm::Memory& memory, ir::Address from, ir::Address to);

    std::vector<Variable> variables_; ///< by private buffer
    std::unordered_map<const ir::Value*, Undefined> values_;
    std::optional<Undefined> loaded_; ///< by the instruction that executes now
};

} // namespace labgrind
