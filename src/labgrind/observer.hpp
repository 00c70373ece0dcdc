#pragma once

#include "labgrind/findings.hpp"
#include "labgrind/locks.hpp"
#include "labgrind/oclgrind.hpp"
#include "labgrind/races.hpp"
#include "labgrind/undefined.hpp"
#include "labgrind/work.hpp"
#include "wire/messages.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace labgrind {

class Loops;

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

    /// Words of which several work-items changed the value by compare-and-swap or exchange in the
    /// last launch, in memory that all groups share.
    using Rivals = std::map<std::uint64_t, Locks::Contended>;
    Rivals rivals() const;
    /// Work-items run one after the other here, so nobody is ever late for a compare-and-swap. In
    /// the next launch they are: each finds the locks among `rivals` taken the first `failures`
    /// times, and before it changes another word for the first time, another work-item of its group
    /// runs.
    void contend(Rivals rivals, unsigned failures);
    /// Lines of attempts that failed in such a launch and were never repeated.
    const std::vector<int>& given_up() const { return given_up_; }
    /// Lines of attempts to take a lock that failed, after which it was released all the same.
    const std::vector<int>& broken_in() const { return broken_in_; }

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
    enum class Action {
        none,
        allocate,
        load,
        store,
        branch,
        add,
        dot,
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
        std::uint32_t site = 0;
        std::uint32_t lanes = 1;
        bool acquires = false; ///< a fence
        bool releases = false; ///< likewise
    };
    struct Site {
        const llvm::Instruction* instruction = nullptr;
        int line = 0;
    };
    /// A barrier that a group met at, or a fence that somebody executed.
    struct Meeting {
        int line = 0;
        std::uint32_t flags = 0;
    };
    struct Item {
        const oclgrind::WorkItem* item = nullptr;
        std::uint32_t local = 0;
        std::uint32_t number = 0; ///< in the launch
        std::uint64_t instructions = 0;
        bool finished = false;
        const llvm::Instruction* waits_at = nullptr;
        std::uint64_t waits_from = 0;    ///< hash of the calls that led there
        std::vector<std::uint32_t> path; ///< branches since the last barrier: 2 * site + taken
        std::uint64_t path_hash = 0;
        std::vector<const llvm::CallInst*> calls; ///< of functions of the program, outermost first
        UndefinedValues values;
        std::map<std::uint64_t, unsigned> late_for; ///< words, and how often by now
        int fence_line = 0;                         ///< of the last fence since the last barrier
        int loop_first = 0;                         ///< lines seen since the budget was used up
        int loop_last = 0;
        std::set<std::string> waits_for; ///< shared words read meanwhile
    };
    /// A compare-and-swap that is made to fail.
    struct Pretence {
        unsigned char* memory = nullptr;
        std::array<unsigned char, 8> truth{};
        std::size_t size = 0;
    };

    const Instruction& know(const llvm::Instruction* instruction);
    Instruction examine(const llvm::Instruction* instruction);
    Item& switch_to(const oclgrind::WorkItem* item);

    void access(const oclgrind::Memory* memory, Item& item, const llvm::Instruction* instruction,
                std::size_t address, std::size_t size, bool write, bool atomic,
                const std::uint8_t* data);
    void on_atomic(Item& item, const llvm::CallInst* call, const Instruction& known,
                   const oclgrind::TypedValue& result);
    void on_branch(Item& item, const llvm::Instruction* instruction, std::uint32_t site);
    void on_store(Item& item, const llvm::Instruction* instruction);
    void on_copy(Item& item, const llvm::CallInst* call);
    static void on_call(Item& item, const llvm::CallInst* call);
    static void on_return(Item& item, const llvm::Instruction* instruction);
    void note_outcome(const Item& item, const AtomicStep& step, std::uint64_t word, bool compares,
                      int line);
    std::uint64_t word_at(bool local, std::size_t address) const;
    void check_budget(Item& item, const llvm::Instruction* instruction);
    void check_divergence(const oclgrind::WorkGroup* group);

    void on_conflict(const Conflict& conflict, const Access& now, Item& item, std::uint64_t word,
                     const std::string& name, bool local);
    wire::Finding describe_race(const Access& earlier, const Access& now, const Item& item,
                                const std::string& name, bool local) const;
    bool report_fences(const Access& earlier, const Access& now, bool local);
    void report_peeks(bool local);
    void let_another_pass(const Item& item);
    void report_bounds(const oclgrind::Memory* memory, Item& item,
                       const llvm::Instruction* instruction, std::size_t address, std::size_t size,
                       bool write);
    void report_copy_bounds(const oclgrind::Memory* memory, std::size_t address, std::size_t size,
                            bool write);
    void report_undefined(Item& item, const Undefined& undefined, int line, const char* use);
    void report_endless(Item& item, const llvm::Instruction* instruction);
    void report_locks();
    void add(const char* kind, int line, int other_line, const std::string& message);
    wire::Finding finding(const char* kind, int line, int other_line,
                          const std::string& message) const;
    [[noreturn]] void cut_short();

    std::string who(std::uint32_t number) const;
    std::string who(const std::vector<std::uint32_t>& locals) const;
    std::string group_name(std::uint32_t group) const;
    std::string name_of(const oclgrind::Memory* memory, Item& item, std::size_t address,
                        std::size_t size);
    std::string buffer_name(unsigned space, Item& item, std::size_t buffer,
                            const llvm::Type** element, std::size_t* size);
    static int line_of(const llvm::Instruction* instruction);
    int line_of_site(std::uint32_t site) const { return sites_[site].line; }
    static std::uint64_t call_hash(const Item& item);

    wire::Analysis analysis_;
    Findings findings_;
    const oclgrind::KernelInvocation* invocation_ = nullptr;
    bool ours_ = false; ///< the launch was ended by this object

    std::unordered_map<const llvm::Instruction*, Instruction> known_;
    const llvm::Instruction* last_instruction_ = nullptr;
    const Instruction* last_known_ = nullptr;
    std::vector<Site> sites_;
    std::unique_ptr<Loops> loops_;

    std::unique_ptr<Order> global_order_;
    std::unique_ptr<Order> local_order_;
    std::unique_ptr<Races> global_races_;
    std::unique_ptr<Races> local_races_;
    std::unique_ptr<Locks> locks_;
    std::unique_ptr<Work> work_;

    const oclgrind::WorkGroup* group_ = nullptr;
    std::uint32_t group_index_ = 0;
    std::uint32_t group_size_ = 0;
    std::size_t dimensions_ = 1; ///< in which work-items differ
    std::vector<Item> items_;
    Item* current_ = nullptr;
    std::vector<Meeting> barriers_;
    std::unordered_map<const oclgrind::Memory*, std::uint32_t> private_memories_;
    std::vector<DefinedBytes> local_bytes_;
    std::map<std::size_t, Origin> local_origins_; ///< of undefined values stored there, by address

    /// By item and word.
    using ItemWord = std::pair<std::uint32_t, std::uint64_t>;
    std::map<ItemWord, wire::Finding>
        peeks_;                       ///< plain loads that a compare-and-swap may yet excuse
    std::set<std::uint64_t> swapped_; ///< words that somebody has compared and swapped

    Rivals next_rivals_;
    Rivals rivals_;
    unsigned next_failures_ = 0;
    unsigned failures_ = 0;
    std::map<ItemWord, int> disappointed_; ///< line of the last attempt
    std::vector<int> given_up_;
    std::vector<int> broken_in_;
    Pretence pretence_;
    Item* overtaking_ = nullptr; ///< runs in the middle of another one's instruction
};

} // namespace labgrind
