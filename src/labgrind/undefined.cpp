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

std::optional<Undefined> UndefinedValues::any_operand(const llvm::Instruction* instruction) const {
    for (const llvm::Use& operand : instruction->operands()) {
        if (auto undefined = of(operand.get()))
            return Undefined{all_bytes, undefined->origin};
    }
    return std::nullopt;
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
        if (select->getCondition()->getType()->isVectorTy())
            return all(any_operand(instruction));
        const bool taken = (item->getOperand(select->getCondition()).getUInt() & 1U) != 0;
        return of(taken ? select->getTrueValue() : select->getFalseValue());
    }
    if (const auto* phi = dyn_cast<llvm::PHINode>(instruction))
        return of(phi->getIncomingValueForBlock(item->getPreviousBlock()));
    if (is_masked_out(item, instruction))
        return std::nullopt;
    const auto* call = dyn_cast<llvm::CallInst>(instruction);
    if (call != nullptr && is_select(call))
        return selected(item, call);
    return lane_by_lane(instruction);
}

/// Whether a product is 0 whatever the other factor is.
bool UndefinedValues::is_masked_out(const oclgrind::WorkItem* item,
                                    const llvm::Instruction* instruction) const {
    if (instruction->getOpcode() != llvm::Instruction::And &&
        instruction->getOpcode() != llvm::Instruction::Mul)
        return false;
    const auto is_zero = [&](const llvm::Value* operand) {
        return !of(operand) && !operand->getType()->isVectorTy() &&
               item->getOperand(operand).getUInt() == 0;
    };
    return is_zero(instruction->getOperand(0)) || is_zero(instruction->getOperand(1));
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
    Undefined result;
    for (unsigned lane = 0; lane < value.num; ++lane) {
        const std::int64_t chosen = value.getSInt(lane);
        const bool second = value.num == 1 ? chosen != 0 : chosen < 0;
        const auto from = of(call->getArgOperand(second ? 1 : 0));
        const std::uint64_t mask = lane_mask(lane, lane_size(call));
        if (from && (from->bytes & mask) != 0) {
            result.bytes |= mask;
            result.origin = from->origin;
        }
    }
    return result;
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

void UndefinedValues::on_call(const llvm::CallInst* call) {
    if (values_.empty())
        return;
    for (const llvm::Argument& parameter : call->getCalledFunction()->args())
        set(&parameter, of(call->getArgOperand(parameter.getArgNo())));
}

void UndefinedValues::on_return(const llvm::Instruction* instruction, const llvm::CallInst* call) {
    if (values_.empty() || instruction->getNumOperands() == 0)
        return;
    set(call, of(instruction->getOperand(0)));
}

} // namespace labgrind
