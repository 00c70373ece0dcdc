#include "labgrind/vm/late_writes.hpp"

#include <algorithm>
#include <cstring>
#include <string>

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

/// Whether `instruction` makes earlier writes of its work-item to global memory visible to others.
bool releases(const WorkItem& item, const ir::Instruction& instruction) {
    if (instruction.opcode != Opcode::call || instruction.callee == nullptr ||
        instruction.operands.empty())
        return false;
    const std::string& name = instruction.callee->plain_name;
    const bool is_fence = name == "mem_fence" || name == "write_mem_fence" || name == "barrier" ||
                          name == "work_group_barrier";
    return is_fence &&
           (item.operand(instruction.operands.front()).get_unsigned() & global_flag) != 0;
}

} // namespace

bool may_be_late(const ir::Instruction& instruction) {
    const bool is_write = (instruction.opcode == Opcode::store && instruction.is_volatile) ||
                          (instruction.users.empty() &&
                           (adds(instruction) || instruction.atomic() == ir::Atomic::exchange));
    return is_write && is_global(target_of(instruction)) &&
           size_of(instruction) <= sizeof(std::uint64_t);
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

} // namespace labgrind::vm
