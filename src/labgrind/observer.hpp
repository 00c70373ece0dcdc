#pragma once

#include "labgrind/contention.hpp"
#include "labgrind/footprint.hpp"
#include "labgrind/group.hpp"
#include "labgrind/oclgrind.hpp"
#include "labgrind/races.hpp"
#include "labgrind/undefined.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class BasicBlock;
class CallInst;
class Instruction;
} // namespace llvm

namespace labgrind {

struct Instruction;

/// One of the ways in which a launch may go on.
struct Manner {
    Contention contention = {};    ///< who is late
    bool last_group_first = false; ///< the groups run in the opposite order
    bool atomics_order = false;    ///< every atomic operation is a fence as well
    bool last_item_first = false;  ///< the work-items of a group run in the opposite order
};

/// Watches launches on Oclgrind: translates its callbacks into accesses, barriers, fences and
/// branches for the analyses, and their results into findings.
class Observer : public oclgrind::Plugin {
  public:
    explicit Observer(const oclgrind::Context* context);
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
    /// Which memory the last launch used.
    const Footprint& footprint() const;
    /// The buffers, by Oclgrind's numbers, that kernels of the next launch may not read.
    void set_write_only(std::set<std::size_t> buffers) { write_only_ = std::move(buffers); }
    /// How the next launch is to go on.
    void set_manner(Manner manner) { next_manner_ = std::move(manner); }
    const Contention& contention() const;

    // Oclgrind's callbacks.
    bool isThreadSafe() const override { return false; }
    void kernelBegin(const oclgrind::KernelInvocation* invocation) override;
    void kernelEnd(const oclgrind::KernelInvocation* invocation) override;
    void workGroupBegin(const oclgrind::WorkGroup* group) override;
    void workGroupComplete(const oclgrind::WorkGroup* group) override;
    void workGroupBarrier(const oclgrind::WorkGroup* group, std::uint32_t flags) override;
    void workItemComplete(const oclgrind::WorkItem* item) override;
    void instructionExecuted(const oclgrind::WorkItem* item, const llvm::Instruction* instruction,
                             const oclgrind::TypedValue& result) override;
    void memoryAllocated(const oclgrind::Memory* memory, std::size_t address, std::size_t size,
                         cl_mem_flags flags, const std::uint8_t* data) override;
    void memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* item,
                    std::size_t address, std::size_t size) override;
    void memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem* item,
                     std::size_t address, std::size_t size, const std::uint8_t* data) override;
    void memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkGroup* group,
                    std::size_t address, std::size_t size) override;
    void memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkGroup* group,
                     std::size_t address, std::size_t size, const std::uint8_t* data) override;
    void memoryAtomicLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* item,
                          oclgrind::AtomicOp operation, std::size_t address,
                          std::size_t size) override;
    void log(oclgrind::MessageType type, const char* message) override;

  private:
    struct Launch;

    void begin(const oclgrind::WorkGroup* group);
    void turn_groups_round() const;
    Item& switch_to(const oclgrind::WorkItem* item);
    void let_later_ones_pass(const Item& item);

    /// `now`: what is known of it. `data`: what is stored, by a plain store.
    void access(const oclgrind::Memory* memory, Item& item, const llvm::Instruction* instruction,
                std::size_t address, std::size_t size, Access now, const std::uint8_t* data);
    /// Of the group, asynchronously.
    void copy_access(const oclgrind::Memory& memory, std::size_t address, std::size_t size,
                     bool write);
    void on_atomic(Item& item, const llvm::CallInst* call, const Instruction& known,
                   const oclgrind::TypedValue& result);
    std::uint64_t way_to(const Item& item, const llvm::Instruction* instruction);
    void note_look(const Item& item, const llvm::Instruction* instruction, const AtomicStep& step);
    void note_change(const Item& item, const llvm::Instruction* instruction,
                     const AtomicStep& step);
    AtomicStep step_of(const Item& item, std::uint32_t site, std::uint64_t word) const;
    void note_use(const Item& item, const llvm::Instruction* instruction, std::size_t address,
                  std::size_t size, Footprint::How how);
    void check_indices(const Item& item, const llvm::Instruction* instruction,
                       const Instruction& known);
    void on_branch(Item& item, const llvm::Instruction* instruction, std::uint32_t site);
    void note_jump(Item& item, const llvm::Instruction* from, const llvm::BasicBlock* to);
    std::uint64_t round_hash(const Item& item, const llvm::Instruction* instruction);
    void on_store(Item& item, const llvm::Instruction* instruction);
    void on_vector_store(Item& item, const llvm::CallInst* call);
    void store_undefined(Item& item, const llvm::Instruction* instruction, const llvm::Value* value,
                         unsigned space, std::size_t address);
    void on_copy(Item& item, const llvm::CallInst* call);
    static void on_call(Item& item, const llvm::CallInst* call);
    static void on_return(Item& item, const llvm::Instruction* instruction);
    std::uint64_t word_at(bool local, std::size_t address) const;
    void check_budget(Item& item, const llvm::Instruction* instruction);
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
    bool ours_ = false;              ///< the launch was ended by this object

    Group group_;
    Item* current_ = nullptr;
    Item* passing_ = nullptr; ///< runs in the middle of another one's instruction
    std::unordered_map<const oclgrind::Memory*, std::uint32_t> private_memories_;
    std::vector<DefinedBytes> local_bytes_;
    std::map<std::size_t, Origin> local_origins_; ///< of undefined values stored there, by address
};

} // namespace labgrind
