#pragma once

#include "labgrind/analyses/footprint.hpp"
#include "labgrind/analyses/group.hpp"
#include "labgrind/analyses/order.hpp"
#include "labgrind/analyses/races.hpp"
#include "labgrind/analyses/run_options.hpp"
#include "labgrind/analyses/swaps.hpp"
#include "labgrind/analyses/undefined.hpp"
#include "labgrind/program/atomic_mistakes.hpp"
#include "labgrind/vm/vm.hpp"
#include "wire/messages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace labgrind {

struct LoopReason;
struct Poll;

/// Thrown to end a launch early.
struct SeenEnough {};

/// Watches a launch: translates what happens into accesses, barriers, fences and branches for the
/// analyses, and their results into findings.
class Observer : public vm::Watcher {
  public:
    Observer();
    ~Observer() override;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    /// The findings and counts of the last launch.
    const wire::Analysis& analysis() const { return analysis_; }

    /// Words for which work-items contended in the last launch.
    ContendedWords contended_words() const;
    /// The values, at the end of their groups, of words of local memory that were compared and
    /// swapped.
    const std::map<std::uint64_t, std::uint64_t>& local_values() const;
    /// Whether there were atomic operations: by several groups on global memory, or any at all.
    bool groups_meet() const;
    bool uses_atomics() const;
    /// Whether work-items used the same words with them.
    bool shares_atomics() const;
    /// The memory that the last launch used.
    const Footprint& footprint() const;
    /// What a work-item reads under a lock and then writes when it holds the lock for the next time: changes
    /// in between are lost.
    AtomicMistake split_update() const;
    /// The buffers, by their numbers, that kernels of the next launch may not read, and those that
    /// they may not write.
    void set_flags(std::set<std::size_t> write_only, std::set<std::size_t> read_only) {
        write_only_ = std::move(write_only);
        read_only_ = std::move(read_only);
    }
    /// Sets how the next launch runs.
    void set_run_options(RunOptions options) { next_options_ = std::move(options); }
    const Contention& contention() const;

    void on_launch_begins(vm::Launch& launch);
    void on_launch_ends();
    void on_group_begins(vm::Group& group) override;
    void on_group_ends(vm::Group& group) override;
    void on_item_ends(vm::WorkItem& work_item) override;
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
    void on_copy_divergence(vm::WorkItem& item) override;
    void on_division(vm::WorkItem& item, const ir::Instruction& instruction) override;

  private:
    struct Launch;
    /// A group that has begun, and what is known about its memory.
    struct PausedGroup {
        Group group;
        std::vector<DefinedBytes> local_bytes;
        StoredOrigins local_origins;
        std::array<Order::OfGroup, 2> orders; ///< by Space
        Races local_races;
    };

    Item& switch_to(const vm::WorkItem& item);
    void enter(vm::Group& group);
    PausedGroup exchange_group(PausedGroup other);
    void let_later_ones_pass(const Item& item);

    void check_alignment(const vm::Memory& memory, const Item& item,
                         const ir::Instruction& instruction, vm::Address address, std::size_t size,
                         bool write);
    void note_shared(const Item& item, const ir::Instruction& instruction, std::uint64_t word,
                     bool local, bool atomic);
    /// `now`: what is known about the access. `data`: what a plain store stores.
    void access(const vm::Memory& memory, Item& item, const ir::Instruction& instruction,
                vm::Address address, std::size_t size, Access now, const std::byte* data);
    void on_atomic_executed(Item& item, const ir::Instruction& call, const Instruction& known,
                            const std::byte* result);
    AtomicStep atomic_step_of(const Item& item, const ir::Instruction& call,
                              const Instruction& known, std::uint64_t word);
    void note_local_atomic(Item& item, const ir::Instruction& call, const Instruction& known,
                           const AtomicStep& step, vm::Address address);
    void fence_all(const Item& item, bool acquires, bool releases);
    void order_volatile_load(const Item& item, std::uint64_t word);
    void order_atomic(const vm::Memory& memory, Item& item, const ir::Instruction& call,
                      const Instruction& known, const AtomicStep& step, vm::Address address);
    void note_swap(const Item& item, const ir::Instruction& call, const Instruction& known,
                   const AtomicStep& step);
    void note_step(Item& item, const ir::Instruction& call, AtomicStep step);
    static bool compares_nan(const Item& item, const ir::Value* condition);
    std::string state_of_loop(const Item& item, const ir::Instruction* instruction) const;
    bool is_in_loop(const Item& item, std::uint32_t site) const;
    std::string mistake_in_loop(const Item& item) const;
    LoopReason reason_by_changes(const Item& item, std::uint64_t word) const;
    LoopReason reason_to_wait(const Item& item, const ir::Instruction& now) const;
    std::string changed_instead(const Item& item, vm::Address address) const;
    std::uint64_t context_of(const Item& item, const ir::Instruction& instruction);
    void note_verified_loads(const Item& item, const Instruction& known, std::uint64_t word,
                             std::size_t size);
    void note_poll(const Item& item, const ir::Instruction& instruction, const AtomicStep& step);
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
                     const std::string& name, const std::string& parameters, bool local);
    void report_load_races(bool local);
    void note_under_lock(const vm::Memory& memory, const Item& item, vm::Address address,
                         std::size_t size, const Access& now);
    void note_race_of_parts(const wire::Finding& race, std::uint64_t word);
    void explain_races_of_parts();
    void keep_local_values();
    [[noreturn]] void cut_short();

    wire::Analysis analysis_;
    RunOptions next_options_;
    std::set<std::size_t> write_only_;
    std::set<std::size_t> read_only_;
    std::unique_ptr<Launch> launch_; ///< the one that runs, or ran last
    bool ours_ = false;              ///< this object ended the launch
    std::uint64_t instructions_ = 0; ///< of the launch

    Group group_;
    Item* current_ = nullptr;
    Item* passing_ = nullptr; ///< runs in the middle of another work-item's instruction
    std::vector<DefinedBytes> local_bytes_;
    StoredOrigins local_origins_;               ///< of undefined values stored there
    std::map<std::size_t, PausedGroup> paused_; ///< by number; others than the one that runs
};

} // namespace labgrind
