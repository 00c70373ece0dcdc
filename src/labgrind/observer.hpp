#pragma once

#include "labgrind/contention.hpp"
#include "labgrind/footprint.hpp"
#include "labgrind/group.hpp"
#include "labgrind/races.hpp"
#include "labgrind/undefined.hpp"
#include "labgrind/vm.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace labgrind {

/// One of the ways in which a launch may go on.
struct Manner {
    Contention contention = {};    ///< who is late
    bool last_group_first = false; ///< the groups run in the opposite order
    bool atomics_order = false;    ///< every atomic operation is a fence as well
    bool last_item_first = false;  ///< the work-items of a group run in the opposite order
};

/// Thrown to end a launch of which enough has been seen.
struct SeenEnough {};

/// Watches a launch: translates what happens into accesses, barriers, fences and branches for the
/// analyses, and their results into findings.
class Observer : public vm::Watcher {
  public:
    Observer();
    ~Observer() override;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    Observer(Observer&&) = delete;
    Observer& operator=(Observer&&) = delete;

    /// What was found in the launch that ended last.
    const wire::Analysis& analysis() const { return analysis_; }

    /// Words that work-items got in each other's way at in the last launch.
    Rivals rivals() const;
    /// What words of local memory that were compared and swapped held at the end of their groups.
    const std::map<std::uint64_t, std::uint64_t>& local_values() const;
    /// Whether atomic operations took place, on global memory by more than one group, or on any.
    bool groups_meet() const;
    bool uses_atomics() const;
    /// The line of the first atomic operation of the last launch that somebody looked at what it
    /// gave; 0: there was none.
    int first_look() const;
    /// How many instructions the last launch took.
    std::uint64_t instructions() const { return instructions_; }
    /// Which memory the last launch used.
    const Footprint& footprint() const;
    /// The buffers, by their numbers, that kernels of the next launch may not read.
    void set_write_only(std::set<std::size_t> buffers) { write_only_ = std::move(buffers); }
    /// How the next launch is to go on.
    void set_manner(Manner manner) { next_manner_ = std::move(manner); }
    const Contention& contention() const;

    void on_launch_begins(vm::Launch& launch);
    void on_launch_ends();
    void on_group_begins(vm::Group& group) override;
    void on_group_ends(vm::Group& group) override;
    void on_item_ends(vm::WorkItem& item) override;
    void on_barrier(vm::Group& group, std::uint32_t flags) override;
    void on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                     std::byte* result) override;
    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t size) override;
    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                  const std::byte* data) override;
    void on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                   std::size_t size) override;
    void on_copy(vm::Group& group, vm::Memory& memory, vm::Address address, std::size_t size,
                 bool write) override;
    void on_copy_divergence(vm::WorkItem& item) override;

  private:
    struct Launch;

    Item& switch_to(const vm::WorkItem& item);
    void let_later_ones_pass(const Item& item);

    /// `now`: what is known of it. `data`: what is stored, by a plain store.
    void access(const vm::Memory& memory, Item& item, const ir::Instruction& instruction,
                vm::Address address, std::size_t size, Access now, const std::byte* data);
    void on_atomic_executed(Item& item, const ir::Instruction& call, const Instruction& known,
                            const std::byte* result);
    std::uint64_t way_to(const Item& item, const ir::Instruction& instruction);
    void note_look(const Item& item, const ir::Instruction& instruction, const AtomicStep& step);
    void note_change(const Item& item, const ir::Instruction& instruction, const AtomicStep& step);
    AtomicStep step_of(const Item& item, std::uint32_t site, std::uint64_t word) const;
    void note_use(const Item& item, const ir::Instruction& instruction, vm::Address address,
                  std::size_t size, Footprint::How how);
    void check_indices(const Item& item, const ir::Instruction& instruction,
                       const Instruction& known);
    void on_branch(Item& item, const ir::Instruction& instruction, std::uint32_t site);
    void note_jump(Item& item, const ir::Instruction& from, const ir::Block* to);
    std::uint64_t round_hash(const Item& item, const ir::Instruction& instruction);
    void on_plain_store(Item& item, const ir::Instruction& instruction);
    void on_vector_store(Item& item, const ir::Instruction& call);
    void store_undefined(Item& item, const ir::Instruction& instruction, const ir::Value* value,
                         unsigned space, vm::Address address);
    void on_structure_copied(Item& item, const ir::Instruction& call);
    static void on_call(Item& item, const ir::Instruction& call);
    static void on_return(Item& item, const ir::Instruction& instruction);
    std::uint64_t word_at(bool local, vm::Address address) const;
    void check_budget(Item& item, const ir::Instruction& instruction);
    void check_divergence();
    void on_conflict(const Conflict& conflict, const Access& now, std::uint64_t word,
                     const std::string& name, bool local);
    void report_peeks(bool local);
    void keep_local_values();
    [[noreturn]] void cut_short();

    wire::Analysis analysis_;
    Manner next_manner_;
    std::set<std::size_t> write_only_;
    std::unique_ptr<Launch> launch_; ///< the one that runs, or ran last
    std::uint64_t instructions_ = 0;
    bool ours_ = false; ///< the launch was ended by this object

    Group group_;
    Item* current_ = nullptr;
    Item* passing_ = nullptr; ///< runs in the middle of another one's instruction
    std::vector<DefinedBytes> local_bytes_;
    std::map<vm::Address, Origin> local_origins_; ///< of undefined values stored there, by address
};

} // namespace labgrind
