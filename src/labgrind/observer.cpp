#include "labgrind/observer.hpp"

#include "labgrind/loops.hpp"

#include <algorithm>
#include <cstring>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace labgrind {
namespace {

using llvm::dyn_cast;
using oclgrind::AddrSpaceLocal;
using oclgrind::AddrSpacePrivate;

constexpr std::uint32_t local_flag = 1;  ///< CLK_LOCAL_MEM_FENCE
constexpr std::uint32_t global_flag = 2; ///< CLK_GLOBAL_MEM_FENCE

/// Instructions that one work-item may execute in a launch. Interpreted inputs are small: a serial
/// loop over all of them takes a tenth of this.
constexpr std::uint64_t instruction_budget = 1'000'000;
/// How long an endless loop is looked at to see which lines it consists of.
constexpr std::uint64_t loop_inspection = 2'000;

/// Work-items that overtake one at a compare-and-swap: more than who tries twice is ready for.
constexpr unsigned most_overtakings = 4;

/// Words of local memory have numbers from here on.
constexpr std::uint64_t local_word = std::uint64_t{1} << 63;

/// A group that has met so often in a launch on a small input goes round for ever.
constexpr std::size_t most_barriers = 4096;

constexpr std::uint64_t hash_factor = 1099511628211U; // of FNV-1a

/// "atomic_cmpxchg" from "_Z14atomic_cmpxchgPU3AS1Vjjj"; other names as they are.
std::string plain_name(const llvm::Function* function) {
    std::string mangled = function->getName().str();
    if (mangled.compare(0, 2, "_Z") != 0)
        return mangled;
    std::size_t digits = 2;
    std::size_t length = 0;
    while (digits < mangled.size() && mangled[digits] >= '0' && mangled[digits] <= '9')
        length = length * 10 + static_cast<std::size_t>(mangled[digits++] - '0');
    return mangled.substr(digits, length);
}

bool begins_with(const std::string& text, const char* beginning) {
    return text.rfind(beginning, 0) == 0;
}

std::uint32_t lanes_of(const llvm::Type* type) {
    const auto* vector = dyn_cast<llvm::FixedVectorType>(type);
    return vector == nullptr ? 1 : vector->getNumElements();
}

std::uint64_t number(const unsigned char* bytes, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, std::min(size, sizeof value));
    return value;
}

const char* verb(const Access& access) {
    if (access.atomic)
        return "updates";
    return access.write ? "writes" : "reads";
}

std::string at_line(int line) { return line == 0 ? "" : " at line " + std::to_string(line); }

std::string show(const oclgrind::Size3& size, std::size_t dimensions) {
    std::string text = std::to_string(size.x);
    if (dimensions > 1)
        text = "(" + text + ", " + std::to_string(size.y) +
               (dimensions > 2 ? ", " + std::to_string(size.z) : "") + ")";
    return text;
}

std::size_t linear(const oclgrind::Size3& id, const oclgrind::Size3& size) {
    return id.x + size.x * (id.y + size.y * id.z);
}

std::size_t volume(const oclgrind::Size3& size) { return size.x * size.y * size.z; }

/// The type that a variable or a parameter in some memory has elements of, or null.
const llvm::Type* element_type(const llvm::Value* value) {
    const llvm::Type* type = nullptr;
    if (const auto* alloca = dyn_cast<llvm::AllocaInst>(value))
        type = alloca->getAllocatedType();
    else if (const auto* global = dyn_cast<llvm::GlobalVariable>(value))
        type = global->getValueType();
#if LLVM_VERSION_MAJOR < 15
    else
        type = llvm::cast<llvm::PointerType>(value->getType())->getPointerElementType();
#endif
    while (type != nullptr && type->isArrayTy())
        type = type->getArrayElementType();
    return type;
}

/// What a student calls it: "sum" for "sum.addr", "temp" for "kernel.temp".
std::string source_name(const llvm::Value* value) {
    std::string name = value->getName().str();
    if (llvm::isa<llvm::GlobalVariable>(value))
        name.erase(0, name.find('.') + 1);
    return name.substr(0, name.find('.'));
}

std::string lane_name(std::size_t lane, std::size_t lanes) {
    constexpr const char* short_names = "xyzw";
    constexpr const char* digits = "0123456789abcdef";
    return lanes <= 4 ? std::string(1, short_names[lane]) : std::string("s") + digits[lane];
}

/// "data[12]", "data[12].y", "summaries[3] (bytes 8 to 11)".
std::string element_name(const std::string& name, const llvm::Type* type, std::int64_t offset,
                         std::size_t access_size) {
    const std::size_t element =
        type != nullptr && type->isSized() ? oclgrind::getTypeSize(type) : access_size;
    const auto size = static_cast<std::int64_t>(std::max<std::size_t>(element, 1));
    const std::int64_t index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
    const auto within = static_cast<std::size_t>(offset - index * size);
    std::string text = name + "[" + std::to_string(index) + "]";
    if (type != nullptr && type->isVectorTy() && access_size < element) {
        const std::size_t lanes = lanes_of(type);
        return text + "." + lane_name(within / (element / lanes), lanes);
    }
    if (type != nullptr && type->isStructTy())
        text += " (bytes " + std::to_string(within) + " to " +
                std::to_string(within + access_size - 1) + ")";
    return text;
}

/// The operand that a memory access takes its address from, or null.
const llvm::Value* pointer_operand(const llvm::Instruction* instruction, bool write) {
    if (const auto* load = dyn_cast<llvm::LoadInst>(instruction))
        return load->getPointerOperand();
    if (const auto* store = dyn_cast<llvm::StoreInst>(instruction))
        return store->getPointerOperand();
    const auto* call = dyn_cast<llvm::CallInst>(instruction);
    if (call == nullptr)
        return nullptr;
    const llvm::Value* found = nullptr;
    for (const llvm::Use& argument : call->args()) {
        if (argument->getType()->isPointerTy() && (found == nullptr || !write))
            found = argument.get(); // memcpy's target comes first
    }
    return found;
}

} // namespace

Observer::Observer(const oclgrind::Context* context) : Plugin(context) {}
Observer::~Observer() = default;

// --- what an instruction is -----------------------------------------------------------------------

Observer::Instruction Observer::examine(const llvm::Instruction* instruction) {
    Instruction known;
    known.site = static_cast<std::uint32_t>(sites_.size());
    sites_.push_back({instruction, line_of(instruction)});
    switch (instruction->getOpcode()) {
    case llvm::Instruction::Alloca:
        known.action = Action::allocate;
        return known;
    case llvm::Instruction::Load:
        known.action = Action::load;
        return known;
    case llvm::Instruction::Store:
        known.action = Action::store;
        return known;
    case llvm::Instruction::Br:
        if (llvm::cast<llvm::BranchInst>(instruction)->isConditional())
            known.action = Action::branch;
        return known;
    case llvm::Instruction::Switch:
        known.action = Action::branch;
        return known;
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
        known.action = Action::add;
        known.lanes = lanes_of(instruction->getType());
        return known;
    case llvm::Instruction::Ret:
        known.action = Action::give_back;
        return known;
    case llvm::Instruction::Call:
        break;
    default:
        return known;
    }
    const auto* call = llvm::cast<llvm::CallInst>(instruction);
    const llvm::Function* function = call->getCalledFunction();
    if (function == nullptr)
        return known;
    if (!function->isDeclaration()) {
        known.action = Action::call;
        return known;
    }
    const std::string name = plain_name(function);
    if (name == "barrier" || name == "work_group_barrier" || name == "wait_group_events") {
        known.action = Action::barrier;
    } else if (name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence") {
        known.action = Action::fence;
        known.acquires = name != "write_mem_fence";
        known.releases = name != "read_mem_fence";
    } else if (begins_with(name, "atomic_") || begins_with(name, "atom_")) {
        known.action = Action::atomic;
    } else if (begins_with(name, "llvm.memcpy") || begins_with(name, "llvm.memmove")) {
        known.action = Action::copy;
    } else if (name == "dot") {
        known.action = Action::dot;
        known.lanes = lanes_of(call->getArgOperand(0)->getType());
    } else if (name == "mad" || name == "fma" || begins_with(name, "llvm.fmuladd")) {
        known.action = Action::add;
        known.lanes = lanes_of(call->getType());
    }
    return known;
}

const Observer::Instruction& Observer::know(const llvm::Instruction* instruction) {
    if (instruction == last_instruction_)
        return *last_known_;
    auto at = known_.find(instruction);
    if (at == known_.end())
        at = known_.emplace(instruction, examine(instruction)).first;
    last_instruction_ = instruction;
    last_known_ = &at->second;
    return at->second;
}

int Observer::line_of(const llvm::Instruction* instruction) {
    const llvm::DebugLoc& place = instruction->getDebugLoc();
    return place ? static_cast<int>(place.getLine()) : 0;
}

std::uint64_t Observer::call_hash(const Item& item) {
    std::uint64_t hash = 0;
    for (const llvm::CallInst* call : item.calls)
        hash = hash * hash_factor + std::hash<const void*>{}(call);
    return hash;
}

// --- launches, groups, work-items -------------------------------------------------------------------

void Observer::kernelBegin(const oclgrind::KernelInvocation* invocation) {
    invocation_ = invocation;
    analysis_ = {};
    analysis_.work.kernel = invocation->getKernel()->getName();
    analysis_.work.launches = 1;
    analysis_.work.work_items = volume(invocation->getGlobalSize());
    findings_ = {};
    ours_ = false;
    known_.clear(); // a program may have taken the place of another one
    last_instruction_ = nullptr;
    sites_.clear();
    loops_ = std::make_unique<Loops>();
    global_order_ = std::make_unique<Order>();
    local_order_ = std::make_unique<Order>();
    global_races_ = std::make_unique<Races>();
    local_races_ = std::make_unique<Races>();
    locks_ = std::make_unique<Locks>();
    work_ = std::make_unique<Work>(analysis_.work);
    group_size_ = static_cast<std::uint32_t>(volume(invocation->getLocalSize()));
    const oclgrind::Size3& size = invocation->getGlobalSize();
    dimensions_ = size.z > 1 ? 3 : size.y > 1 ? 2 : 1;
    group_ = nullptr;
    current_ = nullptr;
    rivals_ = std::exchange(next_rivals_, {});
    failures_ = std::exchange(next_failures_, 0);
    disappointed_.clear();
    given_up_.clear();
    broken_in_.clear();
    overtaking_ = nullptr;
    pretence_ = {};
    peeks_.clear();
    swapped_.clear();
}

void Observer::kernelEnd(const oclgrind::KernelInvocation* /*invocation*/) {
    if (group_ == nullptr || ours_)
        report_locks();
    for (const auto& [who, line] : disappointed_) {
        if (std::find(given_up_.begin(), given_up_.end(), line) == given_up_.end())
            given_up_.push_back(line);
    }
    report_peeks(false);
    analysis_.cut_short = ours_;
    const Rivals contended = rivals();
    analysis_.contended_line = contended.empty() ? 0 : line_of_site(contended.begin()->second.site);
    analysis_.findings = findings_.without_consequences();
    invocation_ = nullptr;
    group_ = nullptr;
    current_ = nullptr;
    items_.clear();
}

Observer::Rivals Observer::rivals() const {
    Rivals found = locks_->contended();
    found.erase(found.lower_bound(local_word), found.end());
    return found;
}

void Observer::contend(Rivals rivals, unsigned failures) {
    next_rivals_ = std::move(rivals);
    next_failures_ = failures;
}

void Observer::workGroupBegin(const oclgrind::WorkGroup* group) {
    group_ = group;
    group_index_ = static_cast<std::uint32_t>(group->getGroupIndex());
    ++analysis_.work.groups;
    const oclgrind::Size3 size = group->getGroupSize();
    const auto count = static_cast<std::uint32_t>(volume(size));
    items_.clear();
    items_.resize(count);
    private_memories_.clear();
    for (std::uint32_t local = 0; local < count; ++local) {
        Item& item = items_[local];
        item.item = group->getWorkItem(oclgrind::Size3(local, size));
        item.local = local;
        item.number = group_index_ * group_size_ + local;
        private_memories_[item.item->getPrivateMemory()] = local;
    }
    current_ = nullptr;
    barriers_.clear();
    local_order_->begin_group(group_index_, group_index_ * group_size_, count);
    global_order_->begin_group(group_index_, group_index_ * group_size_, count);
    local_races_->clear();
}

void Observer::workGroupComplete(const oclgrind::WorkGroup* /*group*/) {
    work_->end_group();
    report_peeks(true);
    group_ = nullptr;
    current_ = nullptr;
}

void Observer::workItemComplete(const oclgrind::WorkItem* item) { switch_to(item).finished = true; }

Observer::Item& Observer::switch_to(const oclgrind::WorkItem* item) {
    if (overtaking_ != nullptr) // Oclgrind names the one that is overtaken
        return *overtaking_;
    if (current_ != nullptr && current_->item == item)
        return *current_;
    current_ = &items_[linear(item->getLocalID(), group_->getGroupSize())];
    work_->switch_to(current_->local);
    return *current_;
}

void Observer::workGroupBarrier(const oclgrind::WorkGroup* group, std::uint32_t flags) {
    check_divergence(group);
    const llvm::Instruction* barrier = items_.front().waits_at;
    if (barriers_.size() >= most_barriers) {
        add(kind::endless_loop, line_of(barrier), 0,
            group_name(group_index_) + " does not come to an end: it has met " +
                std::to_string(most_barriers) + " times, the last time at the barrier" +
                at_line(line_of(barrier)));
        cut_short();
    }
    barriers_.push_back({barrier == nullptr ? 0 : line_of(barrier), flags});
    local_order_->barrier((flags & local_flag) != 0);
    global_order_->barrier((flags & global_flag) != 0);
    work_->barrier();
    for (Item& item : items_) {
        item.waits_at = nullptr;
        item.path.clear();
        item.path_hash = 0;
        item.fence_line = 0;
        if ((flags & local_flag) != 0)
            locks_->fence(item.number, local_space, true, true);
        if ((flags & global_flag) != 0)
            locks_->fence(item.number, global_space, true, true);
    }
    current_ = nullptr;
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
        add(kind::divergent_barrier, 0, 0,
            "an asynchronous copy is not asked for by all work-items of a group");
}

// --- instructions ------------------------------------------------------------------------------------

void Observer::instructionExecuted(const oclgrind::WorkItem* work_item,
                                   const llvm::Instruction* instruction,
                                   const oclgrind::TypedValue& result) {
    Item& item = switch_to(work_item);
    const Instruction& known = know(instruction);
    switch (known.action) {
    case Action::none:
        break;
    case Action::allocate: {
        const std::size_t address = result.getPointer();
        const oclgrind::Memory* memory = work_item->getPrivateMemory();
        const std::size_t buffer = memory->extractBuffer(address);
        item.values.on_alloca(buffer, llvm::cast<llvm::AllocaInst>(instruction),
                              memory->getBuffer(address)->size);
        break;
    }
    case Action::load:
        if (const auto undefined =
                item.values.of(llvm::cast<llvm::LoadInst>(instruction)->getPointerOperand()))
            report_undefined(item, *undefined, line_of(instruction), "an address depends on it");
        break;
    case Action::store:
        on_store(item, instruction);
        break;
    case Action::branch:
        on_branch(item, instruction, known.site);
        break;
    case Action::add:
        work_->additions(known.lanes);
        break;
    case Action::dot:
        work_->additions(known.lanes - 1);
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
        break;
    case Action::fence: {
        const auto flags = static_cast<std::uint32_t>(
            work_item->getOperand(llvm::cast<llvm::CallInst>(instruction)->getArgOperand(0))
                .getUInt());
        if ((flags & local_flag) != 0) {
            local_order_->fence(item.number, known.acquires, known.releases);
            locks_->fence(item.number, local_space, known.acquires, known.releases);
        }
        if ((flags & global_flag) != 0) {
            global_order_->fence(item.number, known.acquires, known.releases);
            locks_->fence(item.number, global_space, known.acquires, known.releases);
        }
        item.fence_line = line_of_site(known.site);
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
    if (++item.instructions < instruction_budget)
        return;
    const int line = line_of(instruction);
    if (line != 0) {
        item.loop_first = item.loop_first == 0 ? line : std::min(item.loop_first, line);
        item.loop_last = std::max(item.loop_last, line);
    }
    if (item.instructions < instruction_budget + loop_inspection)
        return;
    report_endless(item, instruction);
    cut_short();
}

void Observer::on_branch(Item& item, const llvm::Instruction* instruction, std::uint32_t site) {
    const llvm::Value* condition = nullptr;
    if (const auto* branch = dyn_cast<llvm::BranchInst>(instruction))
        condition = branch->getCondition();
    else
        condition = llvm::cast<llvm::SwitchInst>(instruction)->getCondition();
    const std::uint64_t value = item.item->getOperand(condition).getUInt();
    const bool taken = llvm::isa<llvm::BranchInst>(instruction) ? (value & 1U) != 0 : value != 0;
    work_->branch(site, taken);
    item.path.push_back(2 * site + (taken ? 1 : 0));
    item.path_hash = ((item.path_hash + 1) * hash_factor + site) * hash_factor + value;
    if (const auto undefined = item.values.of(condition))
        report_undefined(item, *undefined, line_of(instruction), "a decision depends on it");
}

void Observer::on_store(Item& item, const llvm::Instruction* instruction) {
    const auto* store = llvm::cast<llvm::StoreInst>(instruction);
    const auto undefined = item.values.of(store->getValueOperand());
    if (!undefined)
        return;
    const std::size_t address = item.item->getOperand(store->getPointerOperand()).getPointer();
    const auto [size, count] = oclgrind::getValueSize(store->getValueOperand());
    const std::size_t bytes = std::size_t{size} * count;
    const oclgrind::Memory* memory = item.item->getPrivateMemory();
    switch (store->getPointerAddressSpace()) {
    case AddrSpacePrivate:
        item.values.mark_private(memory->extractBuffer(address), memory->extractOffset(address),
                                 bytes, *undefined);
        break;
    case AddrSpaceLocal: {
        memory = group_->getLocalMemory();
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
            report_undefined(item, *undefined, line_of(instruction),
                             "a result in global memory depends on it");
    }
}

/// A number for a word: every group has local memory of its own, at the same addresses.
std::uint64_t Observer::word_at(bool local, std::size_t address) const {
    if (!local)
        return address;
    const oclgrind::Memory* memory = group_->getLocalMemory();
    return local_word | std::uint64_t{group_index_} << 32 | memory->extractBuffer(address) << 20 |
           memory->extractOffset(address);
}

/// Copies of structs: what is undefined in the source is undefined in the target.
void Observer::on_copy(Item& item, const llvm::CallInst* call) {
    const auto* copy = llvm::cast<llvm::MemTransferInst>(call);
    const std::size_t size = item.item->getOperand(copy->getLength()).getUInt();
    const std::size_t source = item.item->getOperand(copy->getRawSource()).getPointer();
    const std::size_t target = item.item->getOperand(copy->getRawDest()).getPointer();
    const auto shadow = [&](unsigned space, std::size_t address) -> DefinedBytes* {
        const oclgrind::Memory* memory =
            space == AddrSpacePrivate ? item.item->getPrivateMemory() : group_->getLocalMemory();
        const std::size_t buffer = memory->extractBuffer(address);
        if (space == AddrSpacePrivate)
            return item.values.bytes(buffer);
        return space == AddrSpaceLocal && buffer < local_bytes_.size() ? &local_bytes_[buffer]
                                                                       : nullptr;
    };
    const auto offset = [&](unsigned space, std::size_t address) {
        return (space == AddrSpacePrivate ? item.item->getPrivateMemory()
                                          : group_->getLocalMemory())
            ->extractOffset(address);
    };
    DefinedBytes* from = shadow(copy->getSourceAddressSpace(), source);
    DefinedBytes* to = shadow(copy->getDestAddressSpace(), target);
    if (from == nullptr || to == nullptr)
        return;
    for (std::size_t i = 0; i < size; ++i)
        to->mark(offset(copy->getDestAddressSpace(), target) + i, 1,
                 from->read(offset(copy->getSourceAddressSpace(), source) + i, 1));
}

void Observer::on_call(Item& item, const llvm::CallInst* call) {
    item.values.on_call(call);
    item.calls.push_back(call);
}

void Observer::on_return(Item& item, const llvm::Instruction* instruction) {
    if (item.calls.empty())
        return;
    item.values.on_return(instruction, item.calls.back());
    item.calls.pop_back();
}

void Observer::on_atomic(Item& item, const llvm::CallInst* call, const Instruction& known,
                         const oclgrind::TypedValue& result) {
    const llvm::Value* pointer = call->getArgOperand(0);
    const bool local = pointer->getType()->getPointerAddressSpace() == AddrSpaceLocal;
    const oclgrind::Memory* memory =
        local ? group_->getLocalMemory() : m_context->getGlobalMemory();
    const std::size_t address = item.item->getOperand(pointer).getPointer();
    const std::size_t size = result.size;
    if (!memory->isAddressValid(address, size)) {
        report_bounds(memory, item, call, address, size, true);
        return;
    }
    const std::string name = plain_name(call->getCalledFunction());
    const bool compares = name.find("cmpxchg") != std::string::npos;
    const bool exchanges = !compares && name.find("xchg") != std::string::npos;
    const auto argument = [&](unsigned index) {
        return number(item.item->getOperand(call->getArgOperand(index)).data, size);
    };
    const auto* bytes = static_cast<const unsigned char*>(memory->getPointer(address));
    AtomicStep step;
    step.before = number(result.data, size);
    step.after = number(bytes, size);
    step.writes = !compares || step.before == argument(1);
    const std::uint64_t word = word_at(local, address);
    const int line = line_of_site(known.site);
    if (pretence_.memory != nullptr) {
        std::memcpy(pretence_.memory, pretence_.truth.data(), pretence_.size);
        pretence_.memory = nullptr;
        step.writes = false;
        disappointed_[{item.number, word}] = line;
    } else {
        note_outcome(item, step, word, compares, line);
    }
    if (compares)
        swapped_.insert(word);
    const std::size_t buffer = memory->extractBuffer(address);
    if (local && buffer < local_bytes_.size()) {
        const std::size_t offset = memory->extractOffset(address);
        const std::uint64_t undefined = local_bytes_[buffer].read(offset, size);
        if (undefined != 0 && !exchanges)
            report_undefined(item, {undefined, {AddrSpaceLocal, address, call}}, line,
                             "an atomic operation depends on it");
        if (step.writes)
            local_bytes_[buffer].write(offset, size);
    }
    access(memory, item, call, address, size, step.writes, true, nullptr);
    const bool looks = !call->use_empty();
    const bool changes = step.writes && step.before != step.after;
    local_order_->atomic(item.number, word, looks, changes);
    global_order_->atomic(item.number, word, looks, changes);
    step.tries =
        (compares && argument(1) == 0 && argument(2) != 0) || (exchanges && argument(1) != 0);
    step.changes = (compares || exchanges) && step.writes;
    step.looks = looks;
    step.item = item.number;
    const std::uint32_t warps = (group_size_ + Work::warp_size - 1) / Work::warp_size;
    step.warp = group_index_ * warps + item.local / Work::warp_size;
    step.phase = static_cast<std::uint32_t>(barriers_.size());
    step.site = known.site;
    step.word = word;
    step.path = item.path_hash;
    if (step.tries)
        step.loops = loops_->around(call, item.calls);
    if (step.after == 0)
        step.braces = loops_->braces_around(call, item.calls);
    locks_->atomic(step);
    for (const llvm::Use& operand : call->args()) {
        if (const auto undefined = item.values.of(operand.get()))
            report_undefined(item, *undefined, line, "an atomic operation depends on it");
    }
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
        local_origins_.clear(); // a new group begins
    } else if (memory->getAddressSpace() == AddrSpacePrivate) {
        const auto owner = private_memories_.find(memory);
        if (owner != private_memories_.end() && owner->second < items_.size())
            items_[owner->second].values.on_private_allocation(buffer);
    }
}

void Observer::memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* work_item,
                          std::size_t address, std::size_t size) {
    Item& item = switch_to(work_item);
    const llvm::Instruction* instruction = work_item->getCurrentInstruction();
    const std::size_t buffer = memory->extractBuffer(address);
    const std::size_t offset = memory->extractOffset(address);
    if (memory->getAddressSpace() != AddrSpacePrivate) {
        access(memory, item, instruction, address, size, false, false, nullptr);
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
        report_bounds(memory, item, instruction, address, size, false);
    }
}

void Observer::memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem* work_item,
                           std::size_t address, std::size_t size, const std::uint8_t* data) {
    Item& item = switch_to(work_item);
    const llvm::Instruction* instruction = work_item->getCurrentInstruction();
    const std::size_t buffer = memory->extractBuffer(address);
    const std::size_t offset = memory->extractOffset(address);
    if (memory->getAddressSpace() != AddrSpacePrivate) {
        access(memory, item, instruction, address, size, true, false, data);
        if (memory->getAddressSpace() == AddrSpaceLocal && buffer < local_bytes_.size()) {
            local_bytes_[buffer].write(offset, size);
            local_origins_.erase(address);
        }
    } else if (memory->isAddressValid(address, size)) {
        item.values.on_private_store(buffer, offset, size);
    } else {
        report_bounds(memory, item, instruction, address, size, true);
    }
}

/// An asynchronous copy of the whole group: it takes place where all work-items wait for it.
void Observer::memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkGroup* /*group*/,
                          std::size_t address, std::size_t size) {
    if (!memory->isAddressValid(address, size)) {
        report_copy_bounds(memory, address, size, false);
    } else if (memory->getAddressSpace() != AddrSpaceLocal) {
        ++analysis_.work.global_loads;
        analysis_.work.global_bytes_loaded += size;
    }
}

void Observer::memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkGroup* /*group*/,
                           std::size_t address, std::size_t size, const std::uint8_t* /*data*/) {
    const std::size_t buffer = memory->extractBuffer(address);
    if (!memory->isAddressValid(address, size))
        report_copy_bounds(memory, address, size, true);
    else if (memory->getAddressSpace() == AddrSpaceLocal && buffer < local_bytes_.size())
        local_bytes_[buffer].write(memory->extractOffset(address), size);
}

void Observer::access(const oclgrind::Memory* memory, Item& item,
                      const llvm::Instruction* instruction, std::size_t address, std::size_t size,
                      bool write, bool atomic, const std::uint8_t* data) {
    if (!memory->isAddressValid(address, size)) {
        report_bounds(memory, item, instruction, address, size, write);
        return;
    }
    const bool local = memory->getAddressSpace() == AddrSpaceLocal;
    const auto buffer = static_cast<std::uint32_t>(memory->extractBuffer(address));
    const std::size_t offset = memory->extractOffset(address);
    const Instruction& known = know(instruction);
    const Order& order = local ? *local_order_ : *global_order_;
    const std::uint64_t word = word_at(local, address);

    Access now;
    now.stamp = order.stamp(item.number);
    now.barriers = static_cast<std::uint32_t>(barriers_.size());
    now.site = known.site;
    now.hold = locks_->held_by(item.number);
    now.write = write;
    now.atomic = atomic;
    bool same_value = false;
    if (write && !atomic) {
        same_value = std::memcmp(memory->getPointer(address), data, size) == 0;
        if ((size == 4 || size == 8) && locks_->is_known(word)) {
            now.unlocks = locks_->holds(item.number, word);
            locks_->store(item.number, known.site, word, number(data, size),
                          loops_->braces_around(instruction, item.calls));
        }
    }
    Races& races = local ? *local_races_ : *global_races_;
    if (const auto* load = dyn_cast<llvm::LoadInst>(instruction))
        now.polls = !atomic && load->isVolatile() && !loops_->around(load, item.calls).empty();
    const auto conflict = races.access(order, buffer, offset, size, now, same_value);
    // A volatile load of a word that others change atomically sees one of their values.
    const auto* load = dyn_cast<llvm::LoadInst>(instruction);
    if (load != nullptr && load->isVolatile()) {
        local_order_->atomic(item.number, word, true, false);
        global_order_->atomic(item.number, word, true, false);
    }
    if (conflict)
        on_conflict(*conflict, now, item, word, name_of(memory, item, address, size), local);
    if (item.loop_first != 0 && !write && item.waits_for.size() < 2)
        item.waits_for.insert(name_of(memory, item, address, size));
    if (atomic)
        return;
    if (local)
        work_->local_access(known.site, write, buffer, offset, size);
    else
        work_->global_access(known.site, write, buffer, offset, size);
    locks_->touch(item.number, local ? local_space : global_space);
}

/// Takes down how an attempt ended that nobody tampered with.
void Observer::note_outcome(const Item& item, const AtomicStep& step, std::uint64_t word,
                            bool compares, int line) {
    const ItemWord key{item.number, word};
    const auto rival = rivals_.find(word);
    if (rival == rivals_.end())
        return;
    const auto waiting = disappointed_.find(key);
    if (!rival->second.lock) {
        if (compares && !step.writes)
            disappointed_[key] = line;
        else if (waiting != disappointed_.end())
            disappointed_.erase(waiting);
    } else if (waiting != disappointed_.end() && step.writes) {
        if (step.after == 0)
            broken_in_.push_back(waiting->second);
        disappointed_.erase(waiting);
    }
}

/// Lets the next work-item of the group run that has not begun yet, up to its next barrier or its
/// end, as if it were faster.
void Observer::let_another_pass(const Item& item) {
    const auto other = std::find_if(items_.begin(), items_.end(), [&](const Item& one) {
        return one.local > item.local && one.instructions == 0 &&
               one.item->getState() == oclgrind::WorkItem::READY;
    });
    if (other == items_.end())
        return;
    overtaking_ = &*other;
    const oclgrind::Size3 id(other->local, group_->getGroupSize());
    oclgrind::WorkItem* work_item = group_->getWorkItem(id);
    while (work_item->getState() == oclgrind::WorkItem::READY)
        work_item->step();
    overtaking_ = nullptr;
}

void Observer::memoryAtomicLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* work_item,
                                oclgrind::AtomicOp operation, std::size_t address,
                                std::size_t size) {
    const bool compares = operation == oclgrind::AtomicCmpXchg;
    if (rivals_.empty() || overtaking_ != nullptr ||
        (!compares && operation != oclgrind::AtomicXchg) ||
        memory->getAddressSpace() == AddrSpaceLocal || !memory->isAddressValid(address, size))
        return;
    const auto rival = rivals_.find(address);
    if (rival == rivals_.end())
        return;
    Item& item = switch_to(work_item);
    const auto* call = llvm::cast<llvm::CallInst>(work_item->getCurrentInstruction());
    const std::uint64_t given = number(work_item->getOperand(call->getArgOperand(1)).data, size);
    auto* bytes = static_cast<unsigned char*>(memory->getPointer(address));
    unsigned& times = item.late_for[address];
    if (!rival->second.lock) {
        if (compares && times++ < most_overtakings)
            let_another_pass(item);
        return;
    }
    // A compare-and-swap or an exchange that would take the lock finds it taken.
    if (number(bytes, size) != 0 || (compares ? given != 0 : given == 0) || times >= failures_)
        return;
    const auto taken = std::find_if(rival->second.values.begin(), rival->second.values.end(),
                                    [](std::uint64_t value) { return value != 0; });
    if (taken == rival->second.values.end())
        return;
    ++times;
    pretence_.memory = bytes;
    pretence_.size = size;
    std::memcpy(pretence_.truth.data(), bytes, size);
    std::memcpy(bytes, &*taken, size);
}

// --- findings -----------------------------------------------------------------------------------------

wire::Finding Observer::finding(const char* kind, int line, int other_line,
                                const std::string& message) const {
    return {kind, analysis_.work.kernel, line, other_line, message, 1};
}

void Observer::add(const char* kind, int line, int other_line, const std::string& message) {
    findings_.add(finding(kind, line, other_line, message));
}

std::string Observer::group_name(std::uint32_t group) const {
    const oclgrind::Size3 id(group, invocation_->getNumGroups());
    return "group " + show(id, dimensions_);
}

std::string Observer::who(std::uint32_t item) const {
    const oclgrind::Size3 id(item % group_size_, invocation_->getLocalSize());
    return "work-item " + show(id, dimensions_) + " of " + group_name(item / group_size_);
}

/// "work-item 3", "work-items 0 to 31", "work-items 1, 3, 5, ... (32 of them)".
std::string Observer::who(const std::vector<std::uint32_t>& locals) const {
    const auto name = [&](std::uint32_t local) {
        return show(oclgrind::Size3(local, group_->getGroupSize()), dimensions_);
    };
    if (locals.size() == 1)
        return "work-item " + name(locals.front());
    if (locals.back() - locals.front() + 1 == locals.size())
        return "work-items " + name(locals.front()) + " to " + name(locals.back());
    constexpr std::size_t shown = 3;
    std::string text = "work-items ";
    for (std::size_t i = 0; i < std::min(shown, locals.size()); ++i)
        text += (i == 0 ? "" : ", ") + name(locals[i]);
    if (locals.size() > shown)
        text += ", ... (" + std::to_string(locals.size()) + " of them)";
    return text;
}

std::string Observer::buffer_name(unsigned space, Item& item, std::size_t buffer,
                                  const llvm::Type** element, std::size_t* size) {
    const oclgrind::Memory* memory = m_context->getGlobalMemory();
    const llvm::Value* found = nullptr;
    const oclgrind::Kernel* kernel = invocation_->getKernel();
    if (space == AddrSpacePrivate) {
        memory = item.item->getPrivateMemory();
        found = item.values.variable(buffer);
    } else if (space == AddrSpaceLocal) {
        memory = group_->getLocalMemory();
        const auto lies_there = [&](const llvm::Value& value) {
            if (!value.getType()->isPointerTy() ||
                value.getType()->getPointerAddressSpace() != AddrSpaceLocal)
                return false;
            try {
                return memory->extractBuffer(group_->getLocalMemoryAddress(&value)) == buffer;
            } catch (const std::out_of_range&) {
                return false; // of another kernel
            }
        };
        for (const llvm::Argument& argument : kernel->getFunction()->args()) {
            if (lies_there(argument))
                found = &argument;
        }
        for (const llvm::GlobalVariable& global : kernel->getFunction()->getParent()->globals()) {
            if (lies_there(global))
                found = &global;
        }
    } else {
        for (const llvm::Argument& argument : kernel->getFunction()->args()) {
            if (found != nullptr || !argument.getType()->isPointerTy() ||
                argument.getType()->getPointerAddressSpace() == AddrSpaceLocal)
                continue;
            for (auto value = kernel->values_begin(); value != kernel->values_end(); ++value) {
                if (value->first == &argument && value->second.size == sizeof(std::size_t) &&
                    memory->extractBuffer(value->second.getPointer()) == buffer)
                    found = &argument;
            }
        }
    }
    // Addresses carry the buffer's number in their upper bits.
    const std::size_t one = memory->extractOffset(~std::size_t{0}) + 1;
    if (memory->isAddressValid(buffer * one))
        *size = memory->getBuffer(buffer * one)->size;
    if (found == nullptr)
        return {};
    *element = element_type(found);
    return source_name(found);
}

std::string Observer::name_of(const oclgrind::Memory* memory, Item& item, std::size_t address,
                              std::size_t size) {
    const llvm::Type* element = nullptr;
    std::size_t bytes = 0;
    const std::string name = buffer_name(memory->getAddressSpace(), item,
                                         memory->extractBuffer(address), &element, &bytes);
    if (name.empty())
        return "the same memory";
    const bool scalar = memory->getAddressSpace() == AddrSpacePrivate && bytes <= size;
    return scalar ? name
                  : element_name(name, element,
                                 static_cast<std::int64_t>(memory->extractOffset(address)), size);
}

bool Observer::report_fences(const Access& earlier, const Access& now, bool local) {
    if (earlier.hold == 0 || now.hold == 0 || earlier.hold == now.hold)
        return false;
    const Hold& first = locks_->hold(earlier.hold);
    const Hold& second = locks_->hold(now.hold);
    if (first.word != second.word || !locks_->is_lock(first.word) || !first.released)
        return false;
    if (first.plain_release)
        return true; // told at the end
    const Space space = local ? local_space : global_space;
    const std::string fence =
        std::string("no mem_fence(") + (local ? "CLK_LOCAL" : "CLK_GLOBAL") + "_MEM_FENCE)";
    if (!first.release_fenced[space])
        add(kind::missing_fence, line_of_site(first.release_site), line_of_site(earlier.site),
            fence + " stands before the lock is released" +
                at_line(line_of_site(first.release_site)) + ": what " + who(earlier.stamp.item) +
                " " + verb(earlier) + at_line(line_of_site(earlier.site)) +
                " under the lock may not be done yet when the next one takes it");
    if (!second.lock_fenced[space])
        add(kind::missing_fence, line_of_site(second.lock_site), line_of_site(now.site),
            fence + " stands after the lock is taken" + at_line(line_of_site(second.lock_site)) +
                ": what " + who(now.stamp.item) + " " + verb(now) +
                at_line(line_of_site(now.site)) + " under the lock may be done before it is taken");
    return !first.release_fenced[space] || !second.lock_fenced[space];
}

void Observer::on_conflict(const Conflict& conflict, const Access& now, Item& item,
                           std::uint64_t word, const std::string& name, bool local) {
    const Access& earlier = conflict.earlier;
    if (locks_->is_lock(word) && (earlier.unlocks || now.unlocks))
        return; // told at the end
    if (report_fences(earlier, now, local))
        return;
    const wire::Finding race = describe_race(earlier, now, item, name, local);
    if (!conflict.peek) {
        findings_.add(race);
        return;
    }
    const ItemWord reader{(earlier.write ? now : earlier).stamp.item, word};
    peeks_.emplace(reader, race);
}

/// Plain loads of words that others change atomically: a first guess is fine where a
/// compare-and-swap finds out whether it was right.
void Observer::report_peeks(bool local) {
    for (auto peek = peeks_.begin(); peek != peeks_.end();) {
        if ((peek->first.second >= local_word) != local) {
            ++peek;
            continue;
        }
        if (swapped_.count(peek->first.second) == 0)
            findings_.add(peek->second);
        peek = peeks_.erase(peek);
    }
}

wire::Finding Observer::describe_race(const Access& earlier, const Access& now, const Item& item,
                                      const std::string& name, bool local) const {
    const int first = line_of_site(earlier.site);
    const int second = line_of_site(now.site);
    const std::string told =
        who(earlier.stamp.item) + " " + verb(earlier) + " " + name + at_line(first) + " and ";
    if (earlier.stamp.group != now.stamp.group) {
        std::string text = told + who(now.stamp.item) + " " + verb(now) + " it" + at_line(second) +
                           "; groups run at the same time and in any order";
        const auto under_a_lock = [&](std::uint32_t hold) {
            return hold != 0 && locks_->is_lock(locks_->hold(hold).word);
        };
        if (first != second && under_a_lock(earlier.hold) && now.hold == 0)
            text += "; line " + std::to_string(second) + " is not under the lock, line " +
                    std::to_string(first) + " is";
        else if (first != second && earlier.hold == 0 && under_a_lock(now.hold))
            text += "; line " + std::to_string(first) + " is not under the lock, line " +
                    std::to_string(second) + " is";
        else if (earlier.atomic != now.atomic)
            text += "; both have to be atomic";
        return finding(kind::data_race, second, first, text);
    }
    const std::string other =
        "work-item " + show(oclgrind::Size3(item.local, group_->getGroupSize()), dimensions_) +
        " " + verb(now) + " it" + at_line(second);
    if (earlier.barriers < now.barriers) {
        const Meeting& barrier = barriers_[earlier.barriers];
        return finding(kind::barrier_flag, barrier.line, second,
                       "the barrier" + at_line(barrier.line) + " does not order " +
                           (local ? "local" : "global") + " memory: " + told + "after it " + other +
                           "; it needs " +
                           (local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE"));
    }
    std::string text = told + other + "; no barrier lies between";
    const int fence = items_[earlier.stamp.item - group_index_ * group_size_].fence_line;
    if (fence != 0)
        text += " (the fence" + at_line(fence) +
                " orders what one work-item does, it waits for nobody)";
    return finding(kind::data_race, second, first, text);
}

void Observer::report_bounds(const oclgrind::Memory* memory, Item& item,
                             const llvm::Instruction* instruction, std::size_t address,
                             std::size_t size, bool write) {
    const int line = line_of(instruction);
    std::string text = who(item.number) + (write ? " writes " : " reads ");
    // The address itself may lie in a neighbour: what it was computed from tells what was meant.
    std::size_t start = address - memory->extractOffset(address);
    std::size_t buffer = memory->extractBuffer(address);
    const llvm::Value* pointer = pointer_operand(instruction, write);
    while (pointer != nullptr) {
        const auto* step = dyn_cast<llvm::Instruction>(pointer);
        if (step == nullptr ||
            !(llvm::isa<llvm::GetElementPtrInst>(step) || llvm::isa<llvm::BitCastInst>(step)))
            break;
        pointer = step->getOperand(0);
        const std::size_t base = item.item->getOperand(pointer).getPointer();
        if (memory->isAddressValid(base)) {
            buffer = memory->extractBuffer(base);
            start = base - memory->extractOffset(base);
            break;
        }
    }
    const llvm::Type* element = nullptr;
    std::size_t bytes = 0;
    const std::string name = buffer_name(memory->getAddressSpace(), item, buffer, &element, &bytes);
    if (name.empty()) {
        text += "memory that belongs to no buffer";
    } else {
        const std::size_t width =
            element != nullptr && element->isSized() ? oclgrind::getTypeSize(element) : size;
        text += element_name(name, element, static_cast<std::int64_t>(address - start), size);
        text += at_line(line) + ", but " + name + " has ";
        text += bytes / width == 1 ? "one element"
                                   : "elements 0 to " + std::to_string(bytes / width - 1);
        add(kind::out_of_bounds, line, 0, text);
        return;
    }
    add(kind::out_of_bounds, line, 0, text + at_line(line));
}

void Observer::report_copy_bounds(const oclgrind::Memory* memory, std::size_t address,
                                  std::size_t size, bool write) {
    const llvm::Instruction* wait = items_.front().waits_at;
    const int line = wait == nullptr ? 0 : line_of(wait);
    const llvm::Type* element = nullptr;
    std::size_t bytes = 0;
    const std::string name = buffer_name(memory->getAddressSpace(), items_.front(),
                                         memory->extractBuffer(address), &element, &bytes);
    add(kind::out_of_bounds, line, 0,
        "the copy that " + group_name(group_index_) + " waits for" + at_line(line) +
            (write ? " writes " : " reads ") + std::to_string(size) + " bytes from byte " +
            std::to_string(memory->extractOffset(address)) + " on of " +
            (name.empty() ? "memory that belongs to no buffer"
                          : name + ", which has " + std::to_string(bytes)));
}

void Observer::report_undefined(Item& item, const Undefined& undefined, int line, const char* use) {
    const Origin& origin = undefined.origin;
    const int read = origin.load == nullptr ? line : line_of(origin.load);
    const oclgrind::Memory* memory =
        origin.space == AddrSpaceLocal ? group_->getLocalMemory() : item.item->getPrivateMemory();
    const std::size_t size = origin.load == nullptr
                                 ? sizeof(float)
                                 : std::size_t{oclgrind::getValueSize(origin.load).first} *
                                       oclgrind::getValueSize(origin.load).second;
    const std::string name = name_of(memory, item, origin.address, std::max<std::size_t>(size, 1));
    add(kind::uninitialised, read == 0 ? line : read, line,
        who(item.number) + " reads " + name + at_line(read) + ", which nobody has written, and " +
            use + (line != read ? at_line(line) : ""));
}

void Observer::check_divergence(const oclgrind::WorkGroup* /*group*/) {
    const auto first = std::find_if(items_.begin(), items_.end(),
                                    [](const Item& item) { return item.waits_at != nullptr; });
    if (first == items_.end())
        return;
    std::vector<std::uint32_t> here;
    std::vector<std::uint32_t> away;
    for (const Item& item : items_) {
        const bool together =
            item.waits_at == first->waits_at && item.waits_from == first->waits_from;
        (together ? here : away).push_back(item.local);
    }
    if (away.empty())
        return;
    const Item& missing = items_[away.front()];
    const int line = line_of(first->waits_at);
    const auto [a, b] = std::mismatch(first->path.begin(), first->path.end(), missing.path.begin(),
                                      missing.path.end());
    const int parted = a == first->path.end()    ? 0
                       : b == missing.path.end() ? 0
                                                 : line_of_site(*a / 2);
    std::string text = "the barrier" + at_line(line) + " is reached by " + who(here) + " of " +
                       group_name(group_index_) + ", but not by " + who(away);
    if (missing.finished)
        text += away.size() == 1 ? ", which has ended" : ", which have ended";
    else
        text += std::string(away.size() == 1 ? ", which waits" : ", which wait") +
                " at the barrier" + at_line(line_of(missing.waits_at)) +
                (missing.waits_at == first->waits_at ? ", called from elsewhere" : "");
    if (parted != 0)
        text += "; they part at line " + std::to_string(parted);
    // Of two barriers the one to mend is in the part that not all come through.
    const int other = missing.waits_at == nullptr ? 0 : line_of(missing.waits_at);
    const bool elsewhere = other >= parted && (line < parted || other < line);
    add(kind::divergent_barrier, parted != 0 && other != 0 && elsewhere ? other : line, parted,
        text);
    for (const Item& item : items_) {
        const std::uint32_t held = locks_->held_by(item.number);
        if (held != 0 && item.waits_at != nullptr) {
            const Hold& hold = locks_->hold(held);
            add(kind::barrier_in_lock, line_of(item.waits_at), line_of_site(hold.lock_site),
                who(item.number) + " waits at the barrier" + at_line(line_of(item.waits_at)) +
                    " while it holds the lock that it took" +
                    at_line(line_of_site(hold.lock_site)));
        }
    }
    cut_short();
}

void Observer::report_endless(Item& item, const llvm::Instruction* instruction) {
    std::uint32_t number = locks_->obstacle(item.number);
    const auto rival = number == 0 ? rivals_.end() : rivals_.find(locks_->hold(number).word);
    if (rival != rivals_.end() && !rival->second.lock)
        number = 0; // a sum that was 0 looks taken
    if (number == 0) {
        const int line = item.loop_first != 0 ? item.loop_first : line_of(instruction);
        std::string text = who(item.number) + " does not come to an end: after " +
                           std::to_string(instruction_budget) + " instructions it still goes round";
        text += item.loop_first == item.loop_last ? at_line(line)
                                                  : " in lines " + std::to_string(item.loop_first) +
                                                        " to " + std::to_string(item.loop_last);
        add(kind::endless_loop, line, item.loop_last, text);
        return;
    }
    const Hold& hold = locks_->hold(number);
    const int line = line_of_site(hold.lock_site);
    const std::string waits = who(item.number) + " waits forever for the lock that " +
                              (hold.item == item.number ? "it" : who(hold.item)) + " has taken" +
                              at_line(line);
    const std::uint32_t first = group_index_ * group_size_;
    const bool alive = hold.item >= first && hold.item < first + items_.size() &&
                       !items_[hold.item - first].finished;
    if (hold.item == item.number)
        add(kind::never_unlocked, line, 0, waits + " itself and not released");
    else if (alive && items_[hold.item - first].waits_at != nullptr)
        add(kind::barrier_in_lock, line_of(items_[hold.item - first].waits_at), line,
            waits + "; that one waits at the barrier" +
                at_line(line_of(items_[hold.item - first].waits_at)) + " for all of its group");
    else
        add(kind::never_unlocked, line, 0, waits + " and never released");
}

void Observer::report_locks() {
    for (const Hold& hold : locks_->holds()) {
        if (!locks_->is_lock(hold.word))
            continue;
        const int taken_at = line_of_site(hold.lock_site);
        if (hold.plain_release) {
            const int released_at = line_of_site(hold.release_site);
            add(kind::plain_unlock, released_at, taken_at,
                "the lock is released" + at_line(released_at) +
                    " by an ordinary store: that is ordered with nothing; use atomic_xchg");
        } else if (!hold.released && !findings_.has(kind::barrier_in_lock) &&
                   !findings_.has(kind::endless_loop)) {
            add(kind::never_unlocked, taken_at, 0,
                who(hold.item) + " takes the lock" + at_line(taken_at) + " and never releases it");
        }
    }
    for (const Locks::Stray& stray : locks_->strays())
        add(kind::unlock_not_held, line_of_site(stray.site),
            stray.holder ? line_of_site(locks_->hold(*stray.holder).lock_site) : 0,
            who(stray.item) + " releases the lock" + at_line(line_of_site(stray.site)) +
                (stray.holder ? ", but " + who(locks_->hold(*stray.holder).item) + " holds it"
                              : ", but nobody holds it"));
    if (const auto pair = locks_->lock_step_hang()) {
        const Hold& a = locks_->hold(pair->first);
        const Hold& b = locks_->hold(pair->second);
        add(kind::lock_step_hang, line_of_site(a.lock_site), line_of_site(a.release_site),
            who(a.item) + " and " + who(b.item) + " wait for the same lock" +
                at_line(line_of_site(a.lock_site)) +
                ": where they run in lock step, the one that has it cannot go on to line " +
                std::to_string(line_of_site(a.release_site)) +
                " before the other has left the loop as well, so both wait forever; let one "
                "work-item of a group take the lock, or release it inside the loop");
    }
}

} // namespace labgrind
