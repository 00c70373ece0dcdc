#include "labgrind/undefined.hpp"

#include <algorithm>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace labgrind {
namespace {

constexpr std::size_t most_bytes = 64;
constexpr std::uint64_t all_bytes = ~std::uint64_t{0};

/// The lowest `size` bits.
std::uint64_t low(std::size_t size) {
    return size >= most_bytes ? all_bytes : (std::uint64_t{1} << size) - 1;
}

std::size_t size_of(const llvm::Value* value) {
    const auto [size, count] = oclgrind::getValueSize(value);
    return std::size_t{size} * count;
}

std::size_t lane_size(const llvm::Value* value) { return oclgrind::getValueSize(value).first; }

/// The bits of lane `lane`.
std::uint64_t lane_mask(std::size_t lane, std::size_t size) {
    return (lane + 1) * size > most_bytes ? 0 : low(size) << (lane * size);
}

/// A lane of an operand: its value, which of its bytes are undefined, and whether it can only be 0 or 1.
struct LaneOperand {
    std::uint64_t value = 0;
    std::uint64_t undefined = 0;
    bool boolean = false;

    bool is_defined(std::size_t byte) const { return (undefined >> byte & 1U) == 0; }
    std::uint64_t byte(std::size_t index) const { return value >> (8 * index) & 0xffU; }
};

LaneOperand lane_of(const oclgrind::WorkItem* item, const llvm::Value* operand,
                    const std::optional<Undefined>& undefined, unsigned lane) {
    const std::size_t size = lane_size(operand);
    LaneOperand result;
    result.value = item->getOperand(operand).getUInt(lane);
    result.undefined =
        undefined ? (undefined->bytes & lane_mask(lane, size)) >> (lane * size) : std::uint64_t{0};
    const auto* cast = llvm::dyn_cast<llvm::ZExtInst>(operand);
    result.boolean = operand->getType()->getScalarType()->isIntegerTy(1) ||
                     (cast != nullptr && cast->getSrcTy()->getScalarType()->isIntegerTy(1));
    return result;
}

/// A vector of which each lane is that of what `chosen` gives for it.
template <class Chosen>
Undefined lanes_of_either(const llvm::Value* vector, unsigned lanes, const Chosen& chosen) {
    Undefined result;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const std::optional<Undefined> from = chosen(lane);
        const std::uint64_t mask = lane_mask(lane, lane_size(vector));
        if (from && (from->bytes & mask) != 0) {
            result.bytes |= mask;
            result.origin = from->origin;
        }
    }
    return result;
}

/// Whether an operation of integers may come out the same whatever some bytes of its operands are.
bool drops_bytes(const llvm::Instruction* instruction) {
    switch (instruction->getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
        return true;
    default:
        return false;
    }
}

/// The undefined bytes of what an operation that may drop some makes of two lanes.
std::uint64_t undefined_after(const llvm::Instruction& instruction, const LaneOperand& a,
                              const LaneOperand& b) {
    if ((a.undefined | b.undefined) == 0)
        return 0;
    std::uint64_t result = 0;
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
        return a.undefined;
    case llvm::Instruction::Mul:
        return (a.undefined == 0 && a.value == 0) || (b.undefined == 0 && b.value == 0) ? 0
                                                                                        : all_bytes;
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr: {
        if (b.undefined != 0)
            return all_bytes;
        // A byte of the result has parts of two neighbours, unless whole bytes are shifted.
        const std::size_t bytes = b.value / 8 % most_bytes;
        const std::size_t more = b.value % 8 == 0 ? 0 : 1;
        return instruction.getOpcode() == llvm::Instruction::Shl
                   ? a.undefined << bytes | a.undefined << (bytes + more)
                   : a.undefined >> bytes | a.undefined >> (bytes + more);
    }
    default:
        break;
    }
    const bool is_or = instruction.getOpcode() == llvm::Instruction::Or;
    for (std::size_t i = 0; i < sizeof a.value; ++i) {
        const auto matters = [&](const LaneOperand& one, const LaneOperand& other) {
            const std::uint64_t full = one.boolean ? 1 : 0xff;
            const bool decided = other.is_defined(i) && (is_or ? (other.byte(i) & full) == full
                                                               : (other.byte(i) & full) == 0);
            return !one.is_defined(i) && !decided;
        };
        if (matters(a, b) || matters(b, a))
            result |= std::uint64_t{1} << i;
    }
    return result;
}

} // namespace

void DefinedBytes::reset(std::size_t size) { undefined_.assign(size, 1); }

void DefinedBytes::write(std::size_t offset, std::size_t size) {
    if (offset < undefined_.size())
        std::fill_n(undefined_.begin() + static_cast<std::ptrdiff_t>(offset),
                    std::min(size, undefined_.size() - offset), 0);
}

void DefinedBytes::mark(std::size_t offset, std::size_t size, std::uint64_t undefined) {
    for (std::size_t i = 0; i < std::min(size, most_bytes) && offset + i < undefined_.size(); ++i)
        undefined_[offset + i] = static_cast<char>((undefined >> i) & 1U);
}

std::uint64_t DefinedBytes::read(std::size_t offset, std::size_t size) const {
    std::uint64_t result = 0;
    if (size > most_bytes)
        return 0;
    for (std::size_t i = 0; i < size && offset + i < undefined_.size(); ++i) {
        if (undefined_[offset + i] != 0)
            result |= std::uint64_t{1} << i;
    }
    return result;
}

void DefinedBytes::copy(std::size_t offset, const DefinedBytes& from, std::size_t from_offset,
                        std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        mark(offset + i, 1, from.read(from_offset + i, 1));
}

void UndefinedValues::on_alloca(std::size_t buffer, const llvm::AllocaInst* instruction,
                                std::size_t size) {
    if (variables_.size() <= buffer)
        variables_.resize(buffer + 1);
    variables_[buffer].instruction = instruction;
    variables_[buffer].bytes.reset(size);
    variables_[buffer].origin = {};
}

void UndefinedValues::on_private_allocation(std::size_t buffer) {
    if (buffer < variables_.size()) {
        variables_[buffer].instruction = nullptr;
        variables_[buffer].bytes.forget();
    }
}

void UndefinedValues::on_private_load(std::size_t buffer, std::size_t address, std::size_t offset,
                                      std::size_t size, const llvm::Instruction* instruction) {
    if (buffer >= variables_.size())
        return;
    const Variable& variable = variables_[buffer];
    const std::uint64_t undefined = variable.bytes.read(offset, size);
    if (undefined == 0)
        return;
    const bool stored = variable.origin.load != nullptr;
    on_load(undefined,
            stored ? variable.origin : Origin{oclgrind::AddrSpacePrivate, address, instruction});
}

void UndefinedValues::on_load(std::uint64_t undefined, const Origin& origin) {
    if (undefined != 0)
        loaded_ = Undefined{undefined, origin};
}

void UndefinedValues::on_private_store(std::size_t buffer, std::size_t offset, std::size_t size) {
    if (buffer < variables_.size())
        variables_[buffer].bytes.write(offset, size);
}

void UndefinedValues::mark_private(std::size_t buffer, std::size_t offset, std::size_t size,
                                   const Undefined& value) {
    if (buffer >= variables_.size())
        return;
    variables_[buffer].bytes.mark(offset, size, value.bytes);
    variables_[buffer].origin = value.origin;
}

const llvm::AllocaInst* UndefinedValues::variable(std::size_t buffer) const {
    return buffer < variables_.size() ? variables_[buffer].instruction : nullptr;
}

DefinedBytes* UndefinedValues::bytes(std::size_t buffer) {
    return buffer < variables_.size() ? &variables_[buffer].bytes : nullptr;
}

std::optional<Undefined> UndefinedValues::of(const llvm::Value* value) const {
    const auto known = values_.find(value);
    if (known != values_.end())
        return known->second;
    return std::nullopt;
}

void UndefinedValues::set(const llvm::Value* value, const std::optional<Undefined>& undefined) {
    if (undefined && undefined->bytes != 0)
        values_[value] = *undefined;
    else if (!values_.empty())
        values_.erase(value);
}

std::optional<Undefined> UndefinedValues::result_of(const oclgrind::WorkItem* item,
                                                    const llvm::Instruction* instruction) const {
    using llvm::dyn_cast;
    const std::size_t size = lane_size(instruction);
    const auto all = [&](const std::optional<Undefined>& from) -> std::optional<Undefined> {
        if (!from)
            return std::nullopt;
        return Undefined{low(size_of(instruction)), from->origin};
    };
    if (llvm::isa<llvm::BitCastInst>(instruction))
        return of(instruction->getOperand(0));
    if (const auto* insert = dyn_cast<llvm::InsertElementInst>(instruction)) {
        const auto vector = of(insert->getOperand(0));
        const auto scalar = of(insert->getOperand(1));
        const auto lane = item->getOperand(insert->getOperand(2)).getUInt();
        const std::uint64_t mask = lane_mask(lane, size);
        const std::uint64_t bytes =
            (vector ? vector->bytes & ~mask : 0) | (scalar ? mask : std::uint64_t{0});
        return Undefined{bytes, scalar ? scalar->origin : vector ? vector->origin : Origin{}};
    }
    if (const auto* extract = dyn_cast<llvm::ExtractElementInst>(instruction)) {
        const auto vector = of(extract->getVectorOperand());
        const auto lane = item->getOperand(extract->getIndexOperand()).getUInt();
        if (!vector || (vector->bytes & lane_mask(lane, size)) == 0)
            return std::nullopt;
        return all(vector);
    }
    if (const auto* shuffle = dyn_cast<llvm::ShuffleVectorInst>(instruction)) {
        const auto first = of(shuffle->getOperand(0));
        const auto second = of(shuffle->getOperand(1));
        const auto count = static_cast<int>(oclgrind::getValueSize(shuffle->getOperand(0)).second);
        Undefined result;
        std::size_t lane = 0;
        for (const int from : shuffle->getShuffleMask()) {
            const auto& source = from < count ? first : second;
            const auto at = static_cast<std::size_t>(from < count ? from : from - count);
            if (from >= 0 && source && (source->bytes & lane_mask(at, size)) != 0) {
                result.bytes |= lane_mask(lane, size);
                result.origin = source->origin;
            }
            ++lane;
        }
        return result;
    }
    if (const auto* select = dyn_cast<llvm::SelectInst>(instruction)) {
        if (const auto condition = of(select->getCondition()))
            return all(condition);
        const oclgrind::TypedValue condition = item->getOperand(select->getCondition());
        const auto chosen = [&](unsigned lane) {
            return of((condition.getUInt(lane) & 1U) != 0 ? select->getTrueValue()
                                                          : select->getFalseValue());
        };
        return condition.num == 1 ? chosen(0) : lanes_of_either(instruction, condition.num, chosen);
    }
    if (const auto* phi = dyn_cast<llvm::PHINode>(instruction))
        return of(phi->getIncomingValueForBlock(item->getPreviousBlock()));
    if (drops_bytes(instruction))
        return byte_by_byte(item, instruction);
    const auto* call = dyn_cast<llvm::CallInst>(instruction);
    if (call != nullptr && is_select(call))
        return selected(item, call);
    return lane_by_lane(instruction);
}

std::optional<Undefined> UndefinedValues::byte_by_byte(const oclgrind::WorkItem* item,
                                                       const llvm::Instruction* instruction) const {
    using llvm::Instruction;
    const auto [size, count] = oclgrind::getValueSize(instruction);
    const bool binary = instruction->getNumOperands() == 2;
    const auto first = of(instruction->getOperand(0));
    const auto second = binary ? of(instruction->getOperand(1)) : std::nullopt;
    Undefined result;
    result.origin = first ? first->origin : second ? second->origin : Origin{};
    for (unsigned lane = 0; lane < count; ++lane) {
        const LaneOperand a = lane_of(item, instruction->getOperand(0), first, lane);
        const LaneOperand b =
            binary ? lane_of(item, instruction->getOperand(1), second, lane) : LaneOperand{};
        const std::uint64_t bytes = undefined_after(*instruction, a, b) & low(size);
        result.bytes |= lane * std::size_t{size} < most_bytes ? bytes << (lane * size) : 0;
    }
    return result;
}

bool UndefinedValues::is_select(const llvm::CallInst* call) {
    const llvm::Function* function = call->getCalledFunction();
    return function != nullptr && function->getName().startswith("_Z6select");
}

/// OpenCL's select(a, b, c): b where c is set (its highest bit, for vectors), otherwise a.
std::optional<Undefined> UndefinedValues::selected(const oclgrind::WorkItem* item,
                                                   const llvm::CallInst* call) const {
    const llvm::Value* choice = call->getArgOperand(2);
    if (const auto undefined = of(choice))
        return undefined;
    const oclgrind::TypedValue value = item->getOperand(choice);
    return lanes_of_either(call, value.num, [&](unsigned lane) {
        const std::int64_t chosen = value.getSInt(lane);
        const bool second = value.num == 1 ? chosen != 0 : chosen < 0;
        return of(call->getArgOperand(second ? 1 : 0));
    });
}

/// A lane of the result has no meaning where the same lane of an operand has none; an operand with
/// another number of lanes counts for all of them.
std::optional<Undefined> UndefinedValues::lane_by_lane(const llvm::Instruction* instruction) const {
    const auto [size, count] = oclgrind::getValueSize(instruction);
    Undefined result;
    for (const llvm::Use& operand : instruction->operands()) {
        const auto undefined = of(operand.get());
        if (!undefined)
            continue;
        const auto [from_size, from_count] = oclgrind::getValueSize(operand.get());
        for (std::size_t lane = 0; lane < count; ++lane) {
            const std::uint64_t from = from_count == count ? lane_mask(lane, from_size) : all_bytes;
            if ((undefined->bytes & from) != 0)
                result.bytes |= lane_mask(lane, size);
        }
        result.origin = undefined->origin;
    }
    return result;
}

void UndefinedValues::on_executed(const oclgrind::WorkItem* item,
                                  const llvm::Instruction* instruction) {
    if (loaded_) {
        set(instruction, loaded_);
        loaded_.reset();
        return;
    }
    if (values_.empty())
        return;
    if (llvm::isa<llvm::LoadInst>(instruction))
        set(instruction, std::nullopt);
    else if (!instruction->getType()->isVoidTy())
        set(instruction, result_of(item, instruction));
}

/// A whole private buffer, at address `to`, has been made from what lies at `from`.
void UndefinedValues::copy_private(const oclgrind::Memory& memory, std::size_t from,
                                   std::size_t to) {
    const std::size_t source = memory.extractBuffer(from);
    const std::size_t target = memory.extractBuffer(to);
    if (source >= variables_.size())
        return;
    if (target >= variables_.size())
        variables_.resize(target + 1);
    const std::size_t size = memory.getBuffer(to)->size;
    variables_[target] = {variables_[source].instruction, {}, variables_[source].origin};
    DefinedBytes& bytes = variables_[target].bytes;
    bytes.reset(size);
    bytes.copy(0, variables_[source].bytes, memory.extractOffset(from), size);
}

void UndefinedValues::on_call(const oclgrind::WorkItem* item, const llvm::CallInst* call) {
    for (const llvm::Argument& parameter : call->getCalledFunction()->args()) {
        const llvm::Value* argument = call->getArgOperand(parameter.getArgNo());
        if (!values_.empty())
            set(&parameter, of(argument));
        if (parameter.hasByValAttr()) // the function gets a copy
            copy_private(*item->getPrivateMemory(), item->getOperand(argument).getPointer(),
                         item->getOperand(&parameter).getPointer());
    }
}

void UndefinedValues::on_return(const llvm::Instruction* instruction, const llvm::CallInst* call) {
    if (values_.empty() || instruction->getNumOperands() == 0)
        return;
    set(call, of(instruction->getOperand(0)));
}

} // namespace labgrind
