#pragma once

#include "labgrind/vm/ir.hpp"
#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace labgrind {

/// Where an undefined value came from: from memory that was read, or from a division by 0.
struct Origin {
    unsigned space = ir::private_space;
    ir::Address address = 0;
    const ir::Instruction* instruction = nullptr;     ///< the load or the division
    std::optional<std::uint32_t> item = std::nullopt; ///< that read it, if it is another one
    std::uint64_t bytes = 0; ///< those that were uninitialized, of what it has read; 0: unknown

    bool is_division() const { return ir::divides_integers(instruction->opcode); }
};

/// The undefined bytes of a value, one bit each. Values above 64 bytes count as defined.
struct Undefined {
    std::uint64_t bytes = 0;
    Origin origin;
};

/// Where the undefined values in local memory come from, if they were stored there.
class StoredOrigins {
  public:
    void clear() { words_.clear(); }
    /// A value of `size` bytes with undefined ones was stored at `address`.
    void note(ir::Address address, std::size_t size, const Origin& origin);
    /// Where an undefined byte of a value at `address` comes from; null: nothing has stored any.
    const Origin* find(ir::Address address, std::uint64_t undefined) const;

  private:
    std::unordered_map<ir::Address, Origin> words_; ///< of 4 bytes
};

/// The first store to each word of a group's local memory.
class FirstStores {
  public:
    struct Store {
        std::uint32_t site = 0; ///< the instruction
        std::uint32_t item = 0; ///< its local ID
    };
    void note(ir::Address address, std::size_t size, const Store& store);
    /// The one to the word at `address`; null: there was none.
    const Store* find(ir::Address address) const;
    /// The instructions of those to a buffer.
    std::set<std::uint32_t> sites_of(std::uint32_t buffer) const;

  private:
    std::unordered_map<ir::Address, Store> words_; ///< of 4 bytes
};

/// The shadow memory of a piece of memory: which of its bytes are uninitialized.
class DefinedBytes {
  public:
    void reset(std::size_t size); ///< `size` bytes, all uninitialized
    void forget() { reset(0); }   ///< all bytes count as written
    void write(std::size_t offset, std::size_t size);
    void mark(std::size_t offset, std::size_t size, std::uint64_t undefined);
    std::uint64_t read(std::size_t offset, std::size_t size) const;
    /// Copies the state of `size` bytes of another piece of memory.
    void copy(std::size_t offset, const DefinedBytes& from, std::size_t from_offset,
              std::size_t size);
    /// Whether all bytes have been written.
    bool is_complete() const { return missing_ == 0; }

  private:
    void set(std::size_t at, bool undefined);

    std::vector<char> undefined_;
    std::size_t missing_ = 0; ///< bytes that are undefined
};

/// Follows the values of one work-item that come from uninitialized memory or from a division by 0,
/// through its registers and private memory. Reading such a value is no mistake; a result that depends on it is.
class UndefinedValues {
  public:
    /// Forgets everything but the memory that it has allocated.
    void restart();
    void on_alloca(std::size_t buffer, const ir::Instruction* instruction, std::size_t size);
    /// The current instruction loads from private memory.
    void on_private_load(std::size_t buffer, ir::Address address, std::size_t offset,
                         std::size_t size, const ir::Instruction* instruction) {
        if (is_incomplete(buffer))
            load_private(variables_[buffer], address, offset, size, instruction);
    }
    /// These bytes of the current instruction's result are undefined, whatever its operands are.
    void on_undefined(std::uint64_t bytes, const Origin& origin);
    /// The current instruction divides integers: what they are after a division by 0 is undefined.
    void on_division(const vm::WorkItem& item, const ir::Instruction& division);
    void on_private_store(std::size_t buffer, std::size_t offset, std::size_t size) {
        if (is_incomplete(buffer))
            variables_[buffer].bytes.write(offset, size);
    }

    /// `instruction` has been executed: finds which bytes of its result are undefined.
    void on_executed(const vm::WorkItem* item, const ir::Instruction* instruction) {
        if (new_ || !values_.empty())
            follow(item, instruction);
    }
    /// The parameters of a function defined in the program get the state of their arguments.
    void on_call(const vm::WorkItem* item, const ir::Instruction* call);
    /// The result of `call` gets the state of what `instruction` returns.
    void on_return(const ir::Instruction* instruction, const ir::Instruction* call);

    /// The undefined bytes of `value`, if any.
    std::optional<Undefined> of(const ir::Value* value) const {
        return values_.empty() ? std::nullopt : find(value);
    }
    /// The variable of a private buffer, or null.
    const ir::Instruction* variable(std::size_t buffer) const;
    /// Whether a part of a private buffer has been written.
    bool is_written(std::size_t buffer, std::size_t offset, std::size_t size) const {
        return buffer < variables_.size() && variables_[buffer].bytes.read(offset, size) == 0;
    }
    /// The state of a private buffer's bytes, or null if there is no such buffer.
    DefinedBytes* bytes(std::size_t buffer);

    /// Records that a private store left undefined bytes.
    void mark_private(std::size_t buffer, std::size_t offset, std::size_t size,
                      const Undefined& value);

  private:
    struct Variable {
        const ir::Instruction* instruction = nullptr;
        DefinedBytes bytes;
        Origin origin; ///< of undefined values that were stored here
    };

    /// Private variables are read and written all the time, and are nearly always complete.
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
    std::optional<Undefined> new_; ///< by the current instruction
};

} // namespace labgrind
