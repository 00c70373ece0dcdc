#include "labgrind/vm/reordering.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace labgrind::vm {
namespace {

using ir::Opcode;

void write(Memory& memory, Address address, std::size_t size, std::uint64_t value) {
    std::memcpy(memory.at(address), &value, size);
}

bool adds(const ir::Instruction& instruction) {
    return instruction.atomic() == ir::Atomic::add || instruction.atomic() == ir::Atomic::sub;
}

bool is_global(const ir::Value& pointer) {
    return pointer.type->is(ir::Type::Kind::pointer) && pointer.type->space == ir::global_space;
}

const ir::Value& target_of(const ir::Instruction& write) {
    return *write.operands[write.opcode == Opcode::store ? 1 : 0];
}

std::size_t size_of(const ir::Instruction& write) {
    return (write.opcode == Opcode::store ? write.operands[0]->type : write.type)->size;
}

/// How many bytes `instruction` may access from an operand on; 0: it makes no access.
std::size_t accessed_size(const ir::Instruction& instruction) {
    constexpr std::size_t widest = 128; // a vector of 16 doubles
    switch (instruction.opcode) {
    case Opcode::load:
        return instruction.type->size;
    case Opcode::store:
        return size_of(instruction);
    case Opcode::call:
        if (instruction.callee == nullptr || !instruction.callee->is_declaration())
            return 0;
        return instruction.callee->is_atomic() ? size_of(instruction) : widest;
    default:
        return 0;
    }
}

/// Whether the next instruction of `item`, or the one that it waits at, is a fence or a barrier for
/// global memory. `one_sided`: the name of a fence that does not count.
bool is_fence(const WorkItem& item, const ir::Instruction& instruction,
              std::string_view one_sided) {
    if (instruction.opcode != Opcode::call || instruction.callee == nullptr ||
        instruction.operands.empty())
        return false;
    const std::string& name = instruction.callee->plain_name;
    const bool is_named = name == "mem_fence" || name == "read_mem_fence" ||
                          name == "write_mem_fence" || name == "barrier" ||
                          name == "work_group_barrier";
    return is_named && name != one_sided &&
           (item.operand(instruction.operands.front()).get_unsigned() & global_flag) != 0;
}

/// Whether others see what came before it no later than what comes after it.
bool releases(const WorkItem& item, const ir::Instruction& instruction) {
    return is_fence(item, instruction, "read_mem_fence");
}

/// Whether reads that come after it are no older than those before it.
bool acquires(const WorkItem& item, const ir::Instruction& instruction) {
    return is_fence(item, instruction, "write_mem_fence");
}

/// Whether an atomic operation with these operands leaves every word as it is.
bool changes_nothing(const WorkItem& item, const ir::Instruction& atomic) {
    const auto operand = [&](std::size_t index) { return item.operand(atomic.operands[index]); };
    switch (atomic.atomic()) {
    case ir::Atomic::add:
    case ir::Atomic::sub:
    case ir::Atomic::bit_or:
    case ir::Atomic::bit_xor:
        return atomic.operands.size() > 1 && operand(1).get_unsigned() == 0;
    case ir::Atomic::bit_and:
        return operand(1).get_signed() == -1;
    case ir::Atomic::compare_exchange:
        return operand(1).get_unsigned() == operand(2).get_unsigned();
    default:
        return false;
    }
}

/// Whether an access may tell a work-item what another one has done.
bool is_signal(const ir::Instruction& access) {
    return access.is_volatile || access.atomic() != ir::Atomic::none;
}

} // namespace

bool may_be_late(const ir::Instruction& instruction) {
    const bool is_write = (instruction.opcode == Opcode::store && instruction.is_volatile) ||
                          (instruction.users.empty() &&
                           (adds(instruction) || instruction.atomic() == ir::Atomic::exchange));
    return is_write && is_global(target_of(instruction)) &&
           size_of(instruction) <= sizeof(std::uint64_t);
}

bool may_be_early(const WorkItem& item) {
    const ir::Instruction& access = *item.next();
    const ir::Value* pointer = access.shared_pointer;
    return pointer != nullptr && is_global(*pointer) &&
           access.type->size <= sizeof(std::uint64_t) &&
           (access.opcode == Opcode::load ? access.is_volatile : changes_nothing(item, access));
}

void LateWrites::step(WorkItem& item) {
    const ir::Instruction& instruction = *item.next();
    Memory& memory = item.memory(ir::global_space);
    const Address address = item.operand(&target_of(instruction)).get_address();
    const std::size_t size = size_of(instruction);
    if (!memory.is_valid(address, size))
        return item.step();
    const std::uint64_t before = memory.number_at(address, size);
    item.step();
    const std::uint64_t after = memory.number_at(address, size);
    write(memory, address, size, before);
    const bool is_sum = adds(instruction);
    writes_.push_back({address, size, is_sum ? after - before : after, is_sum});
}

bool LateWrites::end_before(const WorkItem& item, const ir::Instruction& next) const {
    if (releases(item, next))
        return true;
    const std::size_t size = accessed_size(next);
    return size != 0 && std::ranges::any_of(next.operands, [&](const ir::Value* operand) {
               return is_global(*operand) && overlap(item.operand(operand).get_address(), size);
           });
}

bool LateWrites::overlap(Address address, std::size_t size) const {
    const std::uint64_t begin = ir::offset_of(address);
    return std::ranges::any_of(writes_, [&](const Write& one) {
        const std::uint64_t other = ir::offset_of(one.address);
        return ir::buffer_of(one.address) == ir::buffer_of(address) && other < begin + size &&
               begin < other + one.size;
    });
}

void LateWrites::settle(Memory& global_memory) {
    for (const Write& one : writes_) {
        const std::uint64_t now = one.adds ? global_memory.number_at(one.address, one.size) : 0;
        write(global_memory, one.address, one.size, now + one.value);
    }
    writes_.clear();
}

void EarlierValues::fence(Item& item) const {
    item.fence = time_;
    item.line = 0;
}

void EarlierValues::meet(const WorkItem& item, std::size_t number) {
    if (acquires(item, *item.current()))
        fence(items_[number]);
}

std::uint64_t EarlierValues::value_at(std::uint64_t time, Address word, std::uint64_t now) const {
    const auto changes = changes_.find(word);
    if (changes == changes_.end())
        return now;
    const auto next = std::ranges::upper_bound(changes->second, time, {}, &Change::time);
    return next == changes->second.end() ? now : next->before;
}

std::optional<int> EarlierValues::step(WorkItem& item, std::size_t number) {
    const ir::Instruction& instruction = *item.next();
    Item& one = items_[number];
    if (acquires(item, instruction)) // a barrier counts again when the group meets
        fence(one);
    const ir::Value* pointer = instruction.shared_pointer;
    const std::size_t size = accessed_size(instruction);
    Memory& memory = item.memory(ir::global_space);
    const bool is_word = pointer != nullptr && is_global(*pointer) && size <= sizeof(std::uint64_t);
    const Address word = is_word ? item.operand(pointer).get_address() : 0;
    if (!is_word || !memory.is_valid(word, size)) {
        item.step();
        return std::nullopt;
    }
    ++time_;
    std::uint64_t& source = sources_[number / group_size_];
    const std::uint64_t access = std::exchange(one.accesses[word], time_);
    const std::uint64_t before = memory.number_at(word, size);
    std::optional<int> reordered;
    const bool is_early = &instruction == early_->read;
    if (is_early && may_be_early(item)) {
        const std::uint64_t since = std::max({one.fence, access, source});
        const std::uint64_t value = value_at(since, word, before);
        write(memory, word, size, value);
        item.step();
        write(memory, word, size, before);
        if (value != before)
            reordered = one.line;
    } else {
        item.step();
        if (memory.number_at(word, size) != before)
            changes_[word].push_back({time_, before});
    }
    if (std::ranges::find(early_->sources, &instruction) != early_->sources.end())
        source = time_;
    if (is_signal(instruction) && !is_early)
        one.line = instruction.line;
    return reordered;
}

} // namespace labgrind::vm
