#include "labgrind/observer.hpp"

#include "labgrind/instructions.hpp"
#include "labgrind/locks.hpp"
#include "labgrind/loops.hpp"
#include "labgrind/names.hpp"
#include "labgrind/reports.hpp"
#include "labgrind/waits.hpp"
#include "labgrind/work.hpp"

#include <algorithm>
#include <cstring>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <set>
#include <stdexcept>
#include <utility>

namespace labgrind {
namespace {

using llvm::dyn_cast;
using oclgrind::AddrSpaceLocal;
using oclgrind::AddrSpacePrivate;

constexpr std::uint32_t local_flag = 1;  ///< CLK_LOCAL_MEM_FENCE
constexpr std::uint32_t global_flag = 2; ///< CLK_GLOBAL_MEM_FENCE

/// Words of local memory have numbers from here on.
constexpr std::uint64_t local_word = std::uint64_t{1} << 63;

/// A group that has met so often in a launch on a small input goes round for ever, and so does one
/// that has met often and takes long.
constexpr std::size_t most_barriers = 12'000;
constexpr std::size_t many_barriers = 256;

/// What memory that nobody has written is full of: NaNs. Oclgrind's zeros are often what was meant.
constexpr int garbage = 0xff;

std::size_t linear(const oclgrind::Size3& id, const oclgrind::Size3& size) {
    return id.x + size.x * (id.y + size.y * id.z);
}

/// The buffers in global memory that Oclgrind keeps the program's own constants in.
std::set<std::size_t> constant_buffers(const oclgrind::Context& context,
                                       const oclgrind::Kernel& kernel) {
    std::set<std::size_t> buffers;
    for (const llvm::GlobalVariable& global : kernel.getFunction()->getParent()->globals()) {
        if (global.getAddressSpace() != oclgrind::AddrSpaceConstant)
            continue;
        try {
            buffers.insert(context.getGlobalMemory()->extractBuffer(
                kernel.getProgram()->getProgramScopeVar(&global).getPointer()));
        } catch (const std::out_of_range&) {
            continue; // nobody reads it
        }
    }
    return buffers;
}

/// What all work-items know from arguments that are values, in bytes; sizes and the like are left
/// out.
std::size_t bytes_by_value(const oclgrind::Kernel& kernel) {
    constexpr std::size_t sizes_and_the_like = 64;
    std::size_t bytes = 0;
    for (const llvm::Argument& argument : kernel.getFunction()->args()) {
        if (!argument.getType()->isPointerTy() || argument.hasByValAttr())
            bytes += kernel.getArgumentSize(argument.getArgNo());
    }
    return std::max(bytes, sizes_and_the_like) - sizes_and_the_like;
}

/// Of the calls that led to where `item` is.
std::uint64_t call_hash(const Item& item) {
    std::uint64_t hash = 0;
    for (const llvm::CallInst* call : item.calls)
        hash = hash * hash_factor + std::hash<const void*>{}(call);
    return hash;
}

} // namespace

Observer::Observer(const oclgrind::Context* context) : Plugin(context) {}
Observer::~Observer() = default;

/// What lasts as long as a launch.
struct Observer::Launch {
    Launch(const oclgrind::Context& context, const oclgrind::KernelInvocation& launched,
           const Group& group, wire::WorkCounts& counts, Manner how)
        : invocation(launched),
          group_size(static_cast<std::uint32_t>(volume(launched.getLocalSize()))),
          manner(std::move(how)), instructions(*launched.getKernel()->getFunction()->getParent()),
          constants(constant_buffers(context, *launched.getKernel())),
          work(counts, bytes_by_value(*launched.getKernel())), names(context, launched),
          reports(names, instructions, locks, group, counts.kernel) {}

    /// By item and word.
    using ItemWord = std::pair<std::uint32_t, std::uint64_t>;

    const oclgrind::KernelInvocation& invocation;
    std::uint32_t group_size;
    Manner manner;
    Instructions instructions;
    std::set<std::size_t> constants; ///< buffers that hold nothing but the program's own
    Loops loops;
    Order global_order;
    Order local_order;
    Races global_races;
    Races local_races;
    Locks locks;
    Waits waits;
    Work work;
    Names names;
    Reports reports;
    Footprint footprint;
    /// Races between atomic operations and plain loads, by who loads what and the load's site.
    std::map<std::pair<ItemWord, std::uint32_t>, wire::Finding> peeks;
    std::map<std::uint64_t, std::size_t> local_words;    ///< changed atomically, with addresses
    std::map<std::uint64_t, std::uint64_t> local_values; ///< of them, at the end of their groups
    bool any_atomics = false;
    bool global_atomics = false;
    int first_look = 0;                  ///< line of an atomic operation
    std::set<std::uint32_t> first_looks; ///< loads (sites) that an atomic operation followed
};

// --- launches, groups, work-items -------------------------------------------------------------------

void Observer::kernelBegin(const oclgrind::KernelInvocation* invocation) {
    analysis_ = {};
    analysis_.work.kernel = invocation->getKernel()->getName();
    analysis_.work.launches = 1;
    group_ = {};
    current_ = nullptr;
    passing_ = nullptr;
    ours_ = false;
    launch_ = std::make_unique<Launch>(*m_context, *invocation, group_, analysis_.work,
                                       std::exchange(next_manner_, {}));
}

void Observer::kernelEnd(const oclgrind::KernelInvocation* /*invocation*/) {
    if (group_.handle == nullptr || ours_) {
        launch_->reports.add_locks();
        launch_->reports.add_hang(launch_->waits);
    }
    report_peeks(false);
    analysis_.cut_short = ours_;
    const Rivals contended = rivals();
    analysis_.contended_line =
        contended.empty() ? launch_->first_look
                          : launch_->instructions.line_of_site(contended.begin()->second.site);
    analysis_.findings = launch_->reports.findings().without_consequences();
    current_ = nullptr;
    group_ = {};
}

/// Takes down what the words of this group's local memory hold that work-items contended for.
void Observer::keep_local_values() {
    const oclgrind::Memory* memory = group_.handle->getLocalMemory();
    for (const auto& [word, address] : launch_->local_words) {
        if (memory->isAddressValid(address, sizeof(std::uint32_t)))
            launch_->local_values[word] =
                number(static_cast<const unsigned char*>(memory->getPointer(address)),
                       sizeof(std::uint32_t));
    }
    launch_->local_words.clear();
}

const std::map<std::uint64_t, std::uint64_t>& Observer::local_values() const {
    return launch_->local_values;
}

const Footprint& Observer::footprint() const { return launch_->footprint; }

bool Observer::groups_meet() const { return launch_->global_atomics && analysis_.work.groups > 1; }

bool Observer::uses_atomics() const { return launch_->any_atomics; }

int Observer::first_look() const { return launch_->first_look; }

Rivals Observer::rivals() const { return launch_->locks.contended(); }

const Contention& Observer::contention() const { return launch_->manner.contention; }

void Observer::workGroupBegin(const oclgrind::WorkGroup* group) {
    ++analysis_.work.groups;
    analysis_.work.work_items += volume(group->getGroupSize());
    if (!launch_->manner.last_group_first)
        begin(group);
    else if (analysis_.work.groups == 1)
        turn_groups_round();
}

/// Has all groups begin, and puts them into Oclgrind's queue of those that wait from the last to
/// the first. It says no more when their turn comes.
void Observer::turn_groups_round() const {
    // Oclgrind's own debugger switches groups like this.
    auto& invocation = const_cast<oclgrind::KernelInvocation&>( // NOLINT(*-const-cast)
        launch_->invocation);
    const oclgrind::Size3 size = invocation.getLocalSize();
    const auto switch_to_group = [&](std::size_t index) {
        const oclgrind::Size3 group(index, launch_->invocation.getNumGroups());
        invocation.switchWorkItem({group.x * size.x, group.y * size.y, group.z * size.z});
    };
    const std::size_t last = volume(launch_->invocation.getNumGroups()) - 1;
    for (std::size_t index = last; index-- > 0;) // whom it leaves goes to the end of the queue
        switch_to_group(index);
    switch_to_group(last);
}

/// From here on work-items of `group` run.
void Observer::begin(const oclgrind::WorkGroup* group) {
    const oclgrind::Size3 size = group->getGroupSize();
    const auto count = static_cast<std::uint32_t>(volume(size));
    group_ = {};
    group_.handle = group;
    // Oclgrind's own index is the same for groups of different rows and columns.
    group_.index =
        static_cast<std::uint32_t>(linear(group->getGroupID(), launch_->invocation.getNumGroups()));
    group_.first_item = group_.index * launch_->group_size;
    group_.items.resize(count);
    private_memories_.clear();
    for (std::uint32_t local = 0; local < count; ++local) {
        Item& item = group_.items[local];
        item.item = group->getWorkItem(oclgrind::Size3(local, size));
        item.local = local;
        item.number = group_.first_item + local;
        private_memories_[item.item->getPrivateMemory()] = local;
    }
    if (launch_->manner.last_group_first)
        local_bytes_.clear(); // that of all groups came at once; races can do without
    current_ = nullptr;
    launch_->local_order.begin_group(group_.index, group_.first_item, count);
    launch_->global_order.begin_group(group_.index, group_.first_item, count);
    launch_->local_races.clear();
}

void Observer::workGroupComplete(const oclgrind::WorkGroup* /*group*/) {
    launch_->work.end_group();
    keep_local_values();
    report_peeks(true);
    current_ = nullptr;
    group_.handle = nullptr;
}

void Observer::workItemComplete(const oclgrind::WorkItem* item) { switch_to(item).finished = true; }

Item& Observer::switch_to(const oclgrind::WorkItem* item) {
    if (passing_ != nullptr)
        return *passing_;
    if (Item* overtaking = launch_->manner.contention.overtaking(); overtaking != nullptr)
        return *overtaking; // Oclgrind names the one that is overtaken
    if (current_ != nullptr && current_->item == item)
        return *current_;
    if (item->getWorkGroup() != group_.handle)
        begin(item->getWorkGroup());
    current_ = &group_.items[linear(item->getLocalID(), group_.handle->getGroupSize())];
    launch_->work.switch_to(current_->local);
    return *current_;
}

/// Has those behind `item` in its group run from the last on, each up to its next barrier or its end.
/// Oclgrind itself begins with the first, at the beginning and after every barrier.
void Observer::let_later_ones_pass(const Item& item) {
    if (passing_ != nullptr || std::exchange(group_.turned_round, true))
        return;
    const oclgrind::Size3 size = group_.handle->getGroupSize();
    for (std::size_t local = group_.items.size(); --local > item.local;) {
        oclgrind::WorkItem* other = group_.handle->getWorkItem(oclgrind::Size3(local, size));
        passing_ = &group_.items[local];
        while (other->getState() == oclgrind::WorkItem::READY)
            other->step();
    }
    passing_ = nullptr;
}

void Observer::workGroupBarrier(const oclgrind::WorkGroup* /*group*/, std::uint32_t flags) {
    check_divergence();
    const std::size_t met = group_.barriers.size();
    if (met >= most_barriers ||
        (met >= many_barriers && group_.patience.is_over(group_.instructions, 0))) {
        launch_->reports.add_endless_meetings();
        cut_short();
    }
    const llvm::Instruction* at = group_.items.front().waits_at;
    const bool is_barrier = at == nullptr || !launch_->instructions.know(at).awaits_copies;
    group_.barriers.push_back({at == nullptr ? 0 : line_of(at), is_barrier});
    if (is_barrier) {
        launch_->local_order.barrier((flags & local_flag) != 0);
        launch_->global_order.barrier((flags & global_flag) != 0);
        launch_->work.barrier();
    } else {
        flags = 0;
    }
    group_.turned_round = false;
    if (std::exchange(group_.copied, false)) {
        launch_->local_order.copies_done();
        launch_->global_order.copies_done();
    }
    for (Item& item : group_.items) {
        item.waits_at = nullptr;
        item.path.clear();
        item.looks.clear();
        item.atomics.clear();
        item.fence_line = 0;
        if ((flags & local_flag) != 0)
            launch_->locks.fence(item.number, local_space, true, true);
        if ((flags & global_flag) != 0)
            launch_->locks.fence(item.number, global_space, true, true);
    }
    current_ = nullptr;
}

/// Ends the launch where not all work-items of the group wait at the same barrier.
void Observer::check_divergence() {
    const auto first = std::find_if(group_.items.begin(), group_.items.end(),
                                    [](const Item& item) { return item.waits_at != nullptr; });
    if (first == group_.items.end())
        return;
    std::vector<std::uint32_t> here;
    std::vector<std::uint32_t> away;
    for (const Item& item : group_.items) {
        const bool together = item.waits_at == first->waits_at &&
                              item.waits_from == first->waits_from &&
                              item.waits_in == first->waits_in;
        (together ? here : away).push_back(item.local);
    }
    if (away.empty())
        return;
    launch_->reports.add_divergence(here, away);
    cut_short();
}

void Observer::cut_short() {
    ours_ = true;
    throw oclgrind::FatalError("labgrind has seen enough", __FILE__, __LINE__);
}

void Observer::log(oclgrind::MessageType type, const char* message) {
    // Memory errors and divergence are found here as well, in better words.
    const std::string text = message;
    if (type != oclgrind::ERROR || ours_)
        return;
    if (text.find("FATAL ERROR") != std::string::npos)
        analysis_.failure = text;
    else if (text.find("divergence detected (async copy)") != std::string::npos)
        launch_->reports.add(
            kind::divergent_barrier,
            current_ == nullptr ? 0 : line_of(current_->item->getCurrentInstruction()), 0,
            "an asynchronous copy is not asked for by all work-items of a group in the same way");
}

// --- instructions ------------------------------------------------------------------------------------

void Observer::instructionExecuted(const oclgrind::WorkItem* work_item,
                                   const llvm::Instruction* instruction,
                                   const oclgrind::TypedValue& result) {
    Item& item = switch_to(work_item);
    if (launch_->manner.last_item_first)
        let_later_ones_pass(item);
    // What Oclgrind gives for memory that is not there is another number each time.
    if (std::exchange(item.loaded_nothing, false) && result.data != nullptr)
        std::memset(result.data, 0, std::size_t{result.size} * result.num);
    const Instruction& known = launch_->instructions.know(instruction);
    if (known.additions != 0)
        launch_->work.additions(known.additions);
    switch (known.action) {
    case Action::none:
        break;
    case Action::allocate: {
        const std::size_t address = result.getPointer();
        const oclgrind::Memory* memory = work_item->getPrivateMemory();
        const std::size_t buffer = memory->extractBuffer(address);
        const std::size_t size = memory->getBuffer(address)->size;
        std::memset(memory->getPointer(address), garbage, size);
        item.values.on_alloca(buffer, llvm::cast<llvm::AllocaInst>(instruction), size);
        break;
    }
    case Action::load:
        check_indices(item, instruction, known);
        if (const auto undefined =
                item.values.of(llvm::cast<llvm::LoadInst>(instruction)->getPointerOperand()))
            launch_->reports.add_undefined(item, *undefined, line_of(instruction),
                                           "an address depends on it");
        break;
    case Action::store:
        check_indices(item, instruction, known);
        on_store(item, instruction);
        break;
    case Action::vector_store:
        on_vector_store(item, llvm::cast<llvm::CallInst>(instruction));
        break;
    case Action::branch:
        on_branch(item, instruction, known.site);
        break;
    case Action::jump:
        note_jump(item, instruction, instruction->getSuccessor(0));
        break;
    case Action::call:
        on_call(item, llvm::cast<llvm::CallInst>(instruction));
        return; // its result comes with its return
    case Action::give_back:
        on_return(item, instruction);
        return;
    case Action::barrier:
        item.waits_at = instruction;
        item.waits_from = call_hash(item);
        item.waits_in = round_hash(item, instruction);
        break;
    case Action::fence: {
        const auto flags = static_cast<std::uint32_t>(
            work_item->getOperand(llvm::cast<llvm::CallInst>(instruction)->getArgOperand(0))
                .getUInt());
        if ((flags & local_flag) != 0) {
            launch_->local_order.fence(item.number, known.acquires, known.releases);
            launch_->locks.fence(item.number, local_space, known.acquires, known.releases);
        }
        if ((flags & global_flag) != 0) {
            launch_->global_order.fence(item.number, known.acquires, known.releases);
            launch_->locks.fence(item.number, global_space, known.acquires, known.releases);
        }
        item.fence_line = launch_->instructions.line_of_site(known.site);
        break;
    }
    case Action::atomic:
        on_atomic(item, llvm::cast<llvm::CallInst>(instruction), known, result);
        break;
    case Action::copy:
        on_copy(item, llvm::cast<llvm::CallInst>(instruction));
        break;
    }
    item.values.on_executed(work_item, instruction);
    check_budget(item, instruction);
}

void Observer::check_budget(Item& item, const llvm::Instruction* instruction) {
    // Reading a line takes time, and most work-items end long before anybody asks for it.
    ++group_.instructions;
    if (++item.instructions < item.patience.budget() ||
        !item.patience.is_over(item.instructions, line_of(instruction)))
        return;
    launch_->reports.add_endless(item, instruction, launch_->manner.contention);
    cut_short();
}

/// An index may leave its row and stay in its variable.
void Observer::check_indices(const Item& item, const llvm::Instruction* instruction,
                             const Instruction& known) {
    for (const Instruction::Index& index : known.indices) {
        const std::int64_t value = item.item->getOperand(index.value).getSInt();
        if (value < 0 || value >= index.length)
            launch_->reports.add_index(item, instruction, known.action == Action::store, value,
                                       index.length);
    }
}

void Observer::note_jump(Item& item, const llvm::Instruction* from, const llvm::BasicBlock* to) {
    if (const auto again = launch_->loops.jump(from->getParent(), to))
        item.rounds.note(item.calls.size(), to, *again);
}

/// Of the rounds that `item` is in of the loops around `instruction`, its callers' included.
std::uint64_t Observer::round_hash(const Item& item, const llvm::Instruction* instruction) {
    std::uint64_t hash = 0;
    const llvm::Instruction* at = instruction;
    for (std::size_t depth = item.calls.size() + 1; depth-- > 0;) {
        for (const llvm::BasicBlock* head : launch_->loops.heads_around(at))
            hash = hash * hash_factor + item.rounds.count(depth, head) + 1;
        if (depth > 0)
            at = item.calls[depth - 1];
    }
    return hash;
}

void Observer::on_branch(Item& item, const llvm::Instruction* instruction, std::uint32_t site) {
    const llvm::Value* condition = nullptr;
    if (const auto* branch = dyn_cast<llvm::BranchInst>(instruction))
        condition = branch->getCondition();
    else
        condition = llvm::cast<llvm::SwitchInst>(instruction)->getCondition();
    const std::uint64_t value = item.item->getOperand(condition).getUInt();
    const bool taken = llvm::isa<llvm::BranchInst>(instruction) ? (value & 1U) != 0 : value != 0;
    launch_->work.branch(site, taken);
    item.path.push_back(2 * site + (taken ? 1 : 0));
    if (llvm::isa<llvm::BranchInst>(instruction))
        note_jump(item, instruction, instruction->getSuccessor(taken ? 0 : 1));
    if (const auto undefined = item.values.of(condition))
        launch_->reports.add_undefined(item, *undefined, line_of(instruction),
                                       "a decision depends on it");
}

void Observer::on_store(Item& item, const llvm::Instruction* instruction) {
    const auto* store = llvm::cast<llvm::StoreInst>(instruction);
    if (const auto address = item.values.of(store->getPointerOperand()))
        launch_->reports.add_undefined(item, *address, line_of(instruction),
                                       "an address depends on it");
    store_undefined(item, instruction, store->getValueOperand(), store->getPointerAddressSpace(),
                    item.item->getOperand(store->getPointerOperand()).getPointer());
}

/// vstoren(data, offset, pointer), which counts in vectors of n elements.
void Observer::on_vector_store(Item& item, const llvm::CallInst* call) {
    const auto [size, count] = oclgrind::getValueSize(call->getArgOperand(0));
    const llvm::Value* pointer = call->getArgOperand(2);
    const std::size_t vector = item.item->getOperand(call->getArgOperand(1)).getUInt();
    store_undefined(item, call, call->getArgOperand(0),
                    pointer->getType()->getPointerAddressSpace(),
                    item.item->getOperand(pointer).getPointer() + vector * size * count);
}

/// `value` has been stored: what of it nobody wrote makes the memory undefined, or a result.
void Observer::store_undefined(Item& item, const llvm::Instruction* instruction,
                               const llvm::Value* value, unsigned space, std::size_t address) {
    const auto undefined = item.values.of(value);
    if (!undefined)
        return;
    const auto [size, count] = oclgrind::getValueSize(value);
    const std::size_t bytes = std::size_t{size} * count;
    const oclgrind::Memory* memory = item.item->getPrivateMemory();
    switch (space) {
    case AddrSpacePrivate:
        item.values.mark_private(memory->extractBuffer(address), memory->extractOffset(address),
                                 bytes, *undefined);
        break;
    case AddrSpaceLocal: {
        memory = group_.handle->getLocalMemory();
        const std::size_t buffer = memory->extractBuffer(address);
        if (buffer < local_bytes_.size()) {
            local_bytes_[buffer].mark(memory->extractOffset(address), bytes, undefined->bytes);
            local_origins_[address] = undefined->origin;
        }
        break;
    }
    default:
        // Lanes that nobody cares for may be left as they are.
        if (bytes >= 64 || undefined->bytes == (std::uint64_t{1} << bytes) - 1)
            launch_->reports.add_undefined(item, *undefined, line_of(instruction),
                                           "a result in global memory depends on it");
    }
}

/// A number for a word: every group has local memory of its own, at the same addresses.
std::uint64_t Observer::word_at(bool local, std::size_t address) const {
    if (!local)
        return address;
    const oclgrind::Memory* memory = group_.handle->getLocalMemory();
    return local_word | std::uint64_t{group_.index} << 32 | memory->extractBuffer(address) << 20 |
           memory->extractOffset(address);
}

/// Copies of structs: what is undefined in the source is undefined in the target.
void Observer::on_copy(Item& item, const llvm::CallInst* call) {
    const auto* copy = llvm::cast<llvm::MemTransferInst>(call);
    const std::size_t size = item.item->getOperand(copy->getLength()).getUInt();
    const std::size_t source = item.item->getOperand(copy->getRawSource()).getPointer();
    const std::size_t target = item.item->getOperand(copy->getRawDest()).getPointer();
    const auto shadow = [&](unsigned space, std::size_t address) -> DefinedBytes* {
        const oclgrind::Memory* memory = space == AddrSpacePrivate
                                             ? item.item->getPrivateMemory()
                                             : group_.handle->getLocalMemory();
        const std::size_t buffer = memory->extractBuffer(address);
        if (space == AddrSpacePrivate)
            return item.values.bytes(buffer);
        return space == AddrSpaceLocal && buffer < local_bytes_.size() ? &local_bytes_[buffer]
                                                                       : nullptr;
    };
    const auto offset = [&](unsigned space, std::size_t address) {
        return (space == AddrSpacePrivate ? item.item->getPrivateMemory()
                                          : group_.handle->getLocalMemory())
            ->extractOffset(address);
    };
    DefinedBytes* from = shadow(copy->getSourceAddressSpace(), source);
    DefinedBytes* to = shadow(copy->getDestAddressSpace(), target);
    if (from == nullptr || to == nullptr)
        return;
    to->copy(offset(copy->getDestAddressSpace(), target), *from,
             offset(copy->getSourceAddressSpace(), source), size);
}

void Observer::on_call(Item& item, const llvm::CallInst* call) {
    item.values.on_call(item.item, call);
    item.calls.push_back(call);
}

void Observer::on_return(Item& item, const llvm::Instruction* instruction) {
    if (item.calls.empty())
        return;
    item.values.on_return(instruction, item.calls.back());
    item.rounds.leave(item.calls.size());
    item.calls.pop_back();
}

/// What locks want to know of whoever accesses a word.
AtomicStep Observer::step_of(const Item& item, std::uint32_t site, std::uint64_t word) const {
    const std::uint32_t warps = (launch_->group_size + Work::warp_size - 1) / Work::warp_size;
    AtomicStep step;
    step.item = item.number;
    step.warp = group_.index * warps + item.local / Work::warp_size;
    step.group = group_.index;
    step.phase = static_cast<std::uint32_t>(group_.barriers.size());
    step.site = site;
    step.word = word;
    return step;
}

/// A hash of the calls and the rounds of loops that have led `item` to `instruction`.
std::uint64_t Observer::way_to(const Item& item, const llvm::Instruction* instruction) {
    return call_hash(item) * hash_factor + round_hash(item, instruction);
}

/// `item` reads a word, atomically or of a volatile variable: maybe it waits for it.
void Observer::note_look(const Item& item, const llvm::Instruction* instruction,
                         const AtomicStep& step) {
    const std::uint64_t loop = launch_->loops.spin_around(instruction, item.calls);
    if (loop == 0 || !launch_->loops.is_ended_by(instruction))
        return;
    launch_->waits.look({step.item, step.warp, step.phase, step.site, step.word, loop, step.way});
}

void Observer::note_change(const Item& item, const llvm::Instruction* instruction,
                           const AtomicStep& step) {
    if (!launch_->waits.is_known(step.word))
        return;
    launch_->waits.change({step.item, step.phase, step.site, step.word,
                           launch_->loops.braces_around(instruction, item.calls)});
}

void Observer::on_atomic(Item& item, const llvm::CallInst* call, const Instruction& known,
                         const oclgrind::TypedValue& result) {
    const llvm::Value* pointer = call->getArgOperand(0);
    const bool local = pointer->getType()->getPointerAddressSpace() == AddrSpaceLocal;
    const oclgrind::Memory* memory =
        local ? group_.handle->getLocalMemory() : m_context->getGlobalMemory();
    const std::size_t address = item.item->getOperand(pointer).getPointer();
    const std::size_t size = result.size;
    const int line = launch_->instructions.line_of_site(known.site);
    for (const llvm::Use& operand : call->args()) {
        if (const auto undefined = item.values.of(operand.get()))
            launch_->reports.add_undefined(item, *undefined, line,
                                           "an atomic operation depends on it");
    }
    if (!memory->isAddressValid(address, size)) {
        launch_->reports.add_bounds(*memory, item, call, address, size, true);
        return;
    }
    const auto [compares, exchanges, looks, rechecks] = known.atomic;
    const auto argument = [&](unsigned index) {
        return number(item.item->getOperand(call->getArgOperand(index)).data, size);
    };
    const auto* bytes = static_cast<const unsigned char*>(memory->getPointer(address));
    AtomicStep step = step_of(item, known.site, word_at(local, address));
    step.before = number(result.data, size);
    step.after = number(bytes, size);
    step.writes = !compares || step.before == argument(1);
    // Who exchanges without a look may have looked before.
    step.tries = (compares && argument(1) == 0 && argument(2) != 0) ||
                 (exchanges && argument(1) != 0 &&
                  (looks || item.looks.at(step.word) || item.atomics.at(step.word)));
    step.changes = (compares || exchanges) && step.writes;
    if (step.tries)
        step.spin = launch_->loops.spin_around(call, item.calls);
    const std::uint64_t word = step.word;
    launch_->any_atomics = true;
    if (looks && launch_->first_look == 0)
        launch_->first_look = line;
    launch_->global_atomics = launch_->global_atomics || !local;
    if (launch_->manner.contention.was_made_to_fail(step, line))
        step.writes = step.changes = false;
    else
        launch_->manner.contention.note_outcome(step, compares, line);
    const std::size_t buffer = memory->extractBuffer(address);
    if (local && buffer < local_bytes_.size()) {
        const std::size_t offset = memory->extractOffset(address);
        const std::uint64_t undefined = local_bytes_[buffer].read(offset, size);
        if (undefined != 0 && !exchanges)
            launch_->reports.add_undefined(item, {undefined, {AddrSpaceLocal, address, call}}, line,
                                           "an atomic operation depends on it");
        if (step.writes)
            local_bytes_[buffer].write(offset, size);
        if (compares)
            launch_->local_words[word] = address;
    }
    if (!local && !(exchanges && !looks) && is_unwritten(step.before, size))
        launch_->reports.add_unwritten(item, line,
                                       launch_->names.at(*memory, address, size, group_, item));
    const auto fence_all = [&](bool acquires, bool releases) {
        launch_->local_order.fence(item.number, acquires, releases);
        launch_->global_order.fence(item.number, acquires, releases);
    };
    if (launch_->manner.atomics_order)
        fence_all(false, true);
    Access now;
    now.write = step.writes;
    now.atomic = true;
    now.looks = looks;
    now.resets = step.writes && exchanges && !looks && !launch_->locks.is_lock(word);
    now.counts = step.writes && !exchanges && !compares && !looks;
    access(memory, item, call, address, size, now, nullptr);
    // Who decides nothing by what was there has decided by the load alone.
    if (const auto load = item.looks.at(word); load && rechecks)
        launch_->first_looks.insert(*load);
    const bool changes = step.writes && step.before != step.after;
    launch_->local_order.atomic(item.number, word, looks, changes);
    launch_->global_order.atomic(item.number, word, looks, changes);
    if (launch_->manner.atomics_order)
        fence_all(true, false);
    step.looks = looks;
    step.way = way_to(item, call);
    if (looks)
        note_look(item, call, step);
    if (changes)
        note_change(item, call, step);
    item.atomics.note(word, known.site);
    if (step.after == 0)
        step.braces = launch_->loops.braces_around(call, item.calls);
    launch_->locks.atomic(step);
}

// --- memory -----------------------------------------------------------------------------------------

void Observer::memoryAllocated(const oclgrind::Memory* memory, std::size_t address,
                               std::size_t size, cl_mem_flags /*flags*/,
                               const std::uint8_t* /*data*/) {
    const std::size_t buffer = memory->extractBuffer(address);
    if (memory->getAddressSpace() == AddrSpaceLocal) {
        if (local_bytes_.size() <= buffer)
            local_bytes_.resize(buffer + 1);
        local_bytes_[buffer].reset(size);
        std::memset(memory->getPointer(address), garbage, size);
        local_origins_.clear(); // a new group begins
    } else if (memory->getAddressSpace() == AddrSpacePrivate) {
        const auto owner = private_memories_.find(memory);
        if (owner != private_memories_.end() && owner->second < group_.items.size())
            group_.items[owner->second].values.on_private_allocation(buffer);
    }
}

void Observer::memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* work_item,
                          std::size_t address, std::size_t size) {
    Item& item = switch_to(work_item);
    const llvm::Instruction* instruction = item.item->getCurrentInstruction();
    const std::size_t buffer = memory->extractBuffer(address);
    const std::size_t offset = memory->extractOffset(address);
    if (memory->getAddressSpace() != AddrSpacePrivate) {
        access(memory, item, instruction, address, size, {}, nullptr);
        if (memory->getAddressSpace() == AddrSpaceLocal && buffer < local_bytes_.size()) {
            const auto stored = local_origins_.find(address);
            item.values.on_load(local_bytes_[buffer].read(offset, size),
                                stored != local_origins_.end()
                                    ? stored->second
                                    : Origin{AddrSpaceLocal, address, instruction});
        }
    } else if (memory->isAddressValid(address, size)) {
        item.values.on_private_load(buffer, address, offset, size, instruction);
    } else {
        launch_->reports.add_bounds(*memory, item, instruction, address, size, false);
        item.loaded_nothing = true;
    }
}

void Observer::memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem* work_item,
                           std::size_t address, std::size_t size, const std::uint8_t* data) {
    Item& item = switch_to(work_item);
    const llvm::Instruction* instruction = item.item->getCurrentInstruction();
    const std::size_t buffer = memory->extractBuffer(address);
    const std::size_t offset = memory->extractOffset(address);
    item.patience.note_store(address, data, size);
    group_.patience.note_store(address, data, size);
    if (memory->getAddressSpace() != AddrSpacePrivate) {
        Access store;
        store.write = true;
        access(memory, item, instruction, address, size, store, data);
        if (memory->getAddressSpace() == AddrSpaceLocal && buffer < local_bytes_.size()) {
            local_bytes_[buffer].write(offset, size);
            local_origins_.erase(address);
        }
    } else if (memory->isAddressValid(address, size)) {
        item.values.on_private_store(buffer, offset, size);
    } else {
        launch_->reports.add_bounds(*memory, item, instruction, address, size, true);
    }
}

/// An asynchronous copy of the whole group: it takes place where all work-items wait for it.
void Observer::memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkGroup* /*group*/,
                          std::size_t address, std::size_t size) {
    copy_access(*memory, address, size, false);
    if (memory->getAddressSpace() != AddrSpaceLocal && memory->isAddressValid(address, size))
        launch_->work.copy(static_cast<std::uint32_t>(memory->extractBuffer(address)),
                           memory->extractOffset(address), size);
}

void Observer::memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkGroup* /*group*/,
                           std::size_t address, std::size_t size, const std::uint8_t* /*data*/) {
    copy_access(*memory, address, size, true);
    const std::size_t buffer = memory->extractBuffer(address);
    if (memory->getAddressSpace() == AddrSpaceLocal && memory->isAddressValid(address, size) &&
        buffer < local_bytes_.size())
        local_bytes_[buffer].write(memory->extractOffset(address), size);
}

void Observer::copy_access(const oclgrind::Memory& memory, std::size_t address, std::size_t size,
                           bool write) {
    if (!memory.isAddressValid(address, size)) {
        launch_->reports.add_copy_bounds(memory, address, size, write);
        return;
    }
    const Item& any = group_.items.front();
    if (memory.getAddressSpace() != AddrSpaceLocal && any.waits_at != nullptr)
        note_use(any, any.waits_at, address, size,
                 write ? Footprint::How::write : Footprint::How::read);
    if (group_.items.size() == 1 || any.waits_at == nullptr)
        return; // nobody else is there
    const bool local = memory.getAddressSpace() == AddrSpaceLocal;
    const Order& order = local ? launch_->local_order : launch_->global_order;
    group_.copied = true;
    Access now;
    now.stamp = order.stamp(copies + group_.index);
    now.barriers = static_cast<std::uint32_t>(group_.barriers.size());
    now.site = launch_->instructions.know(any.waits_at).site;
    now.write = write;
    Races& races = local ? launch_->local_races : launch_->global_races;
    const auto conflict =
        races.access(order, static_cast<std::uint32_t>(memory.extractBuffer(address)),
                     memory.extractOffset(address), size, now, false);
    if (conflict)
        launch_->reports.add(launch_->reports.race(
            conflict->earlier, now, launch_->names.at(memory, address, size, group_, any), local));
}

void Observer::access(const oclgrind::Memory* memory, Item& item,
                      const llvm::Instruction* instruction, std::size_t address, std::size_t size,
                      Access now, const std::uint8_t* data) {
    const bool write = now.write;
    const bool atomic = now.atomic;
    if (!memory->isAddressValid(address, size)) {
        launch_->reports.add_bounds(*memory, item, instruction, address, size, write);
        item.loaded_nothing = !write;
        return;
    }
    const bool local = memory->getAddressSpace() == AddrSpaceLocal;
    const auto buffer = static_cast<std::uint32_t>(memory->extractBuffer(address));
    const std::size_t offset = memory->extractOffset(address);
    const Instruction& known = launch_->instructions.know(instruction);
    const Order& order = local ? launch_->local_order : launch_->global_order;
    const std::uint64_t word = word_at(local, address);
    if (!local)
        note_use(item, instruction, address, size,
                 atomic  ? Footprint::How::atomic
                 : write ? Footprint::How::write
                         : Footprint::How::read);

    now.stamp = order.stamp(item.number);
    now.barriers = static_cast<std::uint32_t>(group_.barriers.size());
    now.site = known.site;
    now.hold = launch_->locks.held_by(item.number);
    bool same_value = false;
    if (write && !atomic) {
        same_value = std::memcmp(memory->getPointer(address), data, size) == 0;
        if (!same_value)
            note_change(item, instruction, step_of(item, known.site, word));
        if ((size == 4 || size == 8) && launch_->locks.is_known(word)) {
            now.unlocks = launch_->locks.holds(item.number, word);
            AtomicStep step = step_of(item, known.site, word);
            step.after = number(data, size);
            step.braces = launch_->loops.braces_around(instruction, item.calls);
            launch_->locks.store(step);
        }
    }
    Races& races = local ? launch_->local_races : launch_->global_races;
    if (const auto* load = dyn_cast<llvm::LoadInst>(instruction))
        now.polls = !atomic && load->isVolatile() &&
                    !launch_->loops.around(load, item.calls).empty() &&
                    launch_->loops.is_ended_by(load);
    if (!write && !atomic)
        item.looks.note(word, known.site);
    if (now.polls) {
        AtomicStep step = step_of(item, known.site, word);
        step.way = way_to(item, instruction);
        note_look(item, instruction, step);
    }
    const auto conflict = races.access(order, buffer, offset, size, now, same_value);
    // A volatile load of a word that others change atomically sees one of their values.
    const auto* load = dyn_cast<llvm::LoadInst>(instruction);
    if (load != nullptr && load->isVolatile()) {
        launch_->local_order.atomic(item.number, word, true, false);
        launch_->global_order.atomic(item.number, word, true, false);
    }
    if (conflict)
        on_conflict(*conflict, now, word, launch_->names.at(*memory, address, size, group_, item),
                    local);
    if (atomic) {
        launch_->work.atomic(local, buffer, offset, size);
        return;
    }
    if (write && !local)
        launch_->constants.erase(buffer); // constant no more
    if (local)
        launch_->work.local_access(known.site, write, buffer, offset, size);
    else if (launch_->constants.count(buffer) == 0) // data, not tables or printf's format
        launch_->work.global_access(known.site, write, buffer, offset, size);
    launch_->locks.touch(item.number, local ? local_space : global_space);
}

/// Notes an access to global memory, which may be to a buffer that is not to be read.
void Observer::note_use(const Item& item, const llvm::Instruction* instruction, std::size_t address,
                        std::size_t size, Footprint::How how) {
    const oclgrind::Memory* memory = m_context->getGlobalMemory();
    const std::size_t buffer = memory->extractBuffer(address);
    launch_->footprint.note(buffer, memory->extractOffset(address), size, how);
    if (how != Footprint::How::write && write_only_.count(buffer) != 0)
        launch_->reports.add_forbidden_read(
            line_of(instruction), launch_->names.at(*memory, address, size, group_, item));
}

void Observer::memoryAtomicLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* work_item,
                                oclgrind::AtomicOp operation, std::size_t address,
                                std::size_t size) {
    if (!memory->isAddressValid(address, size))
        return;
    const std::uint64_t word = word_at(memory->getAddressSpace() == AddrSpaceLocal, address);
    if (launch_->manner.contention.concerns(word))
        launch_->manner.contention.begin(operation, *memory, word, address, size, group_,
                                         switch_to(work_item));
}

// --- conflicts ----------------------------------------------------------------------------------------

void Observer::on_conflict(const Conflict& conflict, const Access& now, std::uint64_t word,
                           const std::string& name, bool local) {
    const Access& earlier = conflict.earlier;
    if (launch_->locks.is_lock(word) && (earlier.unlocks || now.unlocks))
        return; // told at the end
    if (launch_->reports.add_fences(earlier, now, local))
        return;
    const wire::Finding race = launch_->reports.race(earlier, now, name, local);
    if (!conflict.peek) {
        launch_->reports.add(race);
        return;
    }
    const Access& load = earlier.write ? now : earlier;
    launch_->peeks.emplace(std::make_pair(Launch::ItemWord{load.stamp.item, word}, load.site),
                           race);
}

/// Plain loads of words that others change atomically: a first look is fine where an atomic operation
/// finds out whether it was right.
void Observer::report_peeks(bool local) {
    for (auto peek = launch_->peeks.begin(); peek != launch_->peeks.end();) {
        const auto& [who_and_where, site] = peek->first;
        if ((who_and_where.second >= local_word) != local) {
            ++peek;
            continue;
        }
        if (launch_->first_looks.count(site) == 0)
            launch_->reports.add(peek->second);
        peek = launch_->peeks.erase(peek);
    }
}

} // namespace labgrind
