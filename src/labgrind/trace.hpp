#pragma once

#include "labgrind/analyses/group.hpp"
#include "labgrind/reports/names.hpp"
#include "labgrind/vm/vm.hpp"
#include "wire/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace labgrind {

/// The elements that values of one work-item are made of: those that were loaded and then combined.
/// Numbers that only determine an address or a decision do not count.
class Sources {
  public:
    using Elements = std::set<wire::TracedElement>;

    /// The elements that `value` is made of.
    Elements of(const ir::Value* value) const;
    /// The instruction that executes now has loaded from private memory, or from an element.
    void on_private_load(vm::Address address, std::size_t size);
    void on_load(const wire::TracedElement& element) { loaded_.insert(element); }
    void on_private_store(vm::Address address, std::size_t size, const ir::Instruction& by);
    void forget_loads() { loaded_.clear(); }
    /// The elements that an instruction stores, which executes now.
    Elements stored_by(const ir::Instruction& instruction) const;
    /// `instruction` has been executed.
    void on_executed(const vm::WorkItem& item, const ir::Instruction& instruction);

  private:
    Elements result_of(const vm::WorkItem& item, const ir::Instruction& instruction) const;
    void set(const ir::Value* value, Elements elements);

    std::unordered_map<const ir::Value*, Elements> values_;
    std::map<vm::Address, Elements> private_words_;
    Elements loaded_;                           ///< by the current instruction
    std::vector<const ir::Instruction*> calls_; ///< of functions of the program, outermost first
};

/// Records a launch on a small input: every access to global and local memory, and which elements
/// each stored value is made of.
class Tracer final : public vm::Watcher {
  public:
    /// A launch begins, perhaps again: forgets what happened before.
    void on_launch_begins(vm::Launch& launch);
    /// Returns the trace of the last launch. Call it once, while the launch exists.
    wire::Trace take();

    void on_barrier(vm::Group& group, std::uint32_t flags) override;
    void on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                     std::byte* result) override;
    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t size) override;
    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                  const std::byte* data) override;
    void on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                   std::size_t size) override;
    void on_copy(vm::Group& group, vm::Memory& memory, vm::Address address, vm::CopySize part,
                 bool write) override;

  private:
    /// How far a group has come.
    struct Progress {
        std::size_t phase = 0;
        std::size_t local_epoch = 0;           ///< barriers that order accesses to local memory
        std::size_t global_epoch = 0;          ///< likewise for global memory
        Group known;                           ///< for Names
        std::vector<Sources> sources;          ///< by work-item
        std::set<wire::TracedElement> written; ///< of local memory
    };
    /// The place of an array: its address space and the number of its piece of memory.
    using Piece = std::pair<unsigned, std::uint32_t>;

    Progress& progress_of(vm::Group& group);
    std::size_t array_of(const vm::WorkItem& item, const vm::Memory& memory, std::uint32_t buffer);
    /// Records an access to every element that the bytes belong to.
    void record(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                wire::TracedAccess::Kind kind);
    void add(wire::TracedAccess access, std::size_t epoch);
    int race_with(const wire::TracedAccess& access, std::size_t epoch) const;
    void complete(vm::WorkItem& item);
    void merge_waiting();
    void require_budget();

    std::optional<Names> names_;
    wire::Trace trace_;
    std::map<Piece, std::size_t> arrays_;    ///< numbers in the trace
    std::vector<Piece> pieces_;              ///< by array
    std::vector<Names::Variable> variables_; ///< likewise
    std::map<std::size_t, Progress> groups_;
    std::vector<wire::TracedElement> copied_; ///< by the asynchronous copy under way
    std::vector<std::size_t> incomplete_;     ///< accesses whose value is not known yet
    std::vector<std::size_t> epochs_;         ///< by access
    std::set<std::uint32_t> constants_;       ///< buffers that hold only the program's constants
    bool has_atomics_ = false;
    std::uint64_t instructions_ = 0;
};

} // namespace labgrind
