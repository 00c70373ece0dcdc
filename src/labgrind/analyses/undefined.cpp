#include "labgrind/analyses/undefined.hpp"

#include <algorithm>
#include <cstring>

namespace labgrind {
namespace {

using ir::Opcode;
using Kind = ir::Type::Kind;

constexpr std::size_t most_bytes = 64;
constexpr std::uint64_t all_bytes = ~std::uint64_t{0};

constexpr std::size_t stored_word = 4;
/// The word that contains the byte at `address`.
ir::Address word_of(ir::Address address) { return address - address % stored_word; }

/// The lowest `size` bits.
std::uint64_t low(std::size_t size) {
    return size >= most_bytes ? all_bytes : (std::uint64_t{1} << size) - 1;
}

bool has_no_value(const ir::Value* value) {
    return value->type == nullptr || value->type->is(Kind::nothing);
}

std::size_t lanes_of(const ir::Value* value) { return value->type->lanes(); }
/// The size of a lane in bytes.
std::size_t lane_size(const ir::Value* value) { return value->type->scalar().size; }

/// The mask of the bytes of `lane`.
std::uint64_t lane_mask(std::size_t lane, std::size_t size) {
    return (lane + 1) * size > most_bytes ? 0 : low(size) << (lane * size);
}

/// Whether each lane is a bit.
bool is_boolean(const ir::Value* value) {
    const ir::Type& type = value->type->scalar();
    return type.is(Kind::integer) && type.bits == 1;
}

/// A lane of an operand: its value, its undefined bytes, and whether it can only be 0 or 1.
struct LaneOperand {
    std::uint64_t value = 0;
    std::uint64_t undefined = 0;
    bool boolean = false;

    bool is_defined(std::size_t byte) const { return (undefined >> byte & 1U) == 0; }
    std::uint64_t byte(std::size_t index) const { return value >> (8 * index) & 0xffU; }
};

LaneOperand lane_of(const vm::WorkItem* item, const ir::Value* operand,
                    const std::optional<Undefined>& undefined, std::size_t lane) {
    const std::size_t size = lane_size(operand);
    LaneOperand result;
    result.value = item->operand(operand).get_unsigned(lane);
    result.undefined =
        undefined ? (undefined->bytes & lane_mask(lane, size)) >> (lane * size) : std::uint64_t{0};
    const ir::Instruction* cast = ir::as(operand, Opcode::zext);
    result.boolean = is_boolean(operand) || (cast != nullptr && is_boolean(cast->operands[0]));
    return result;
}

/// The state of a vector whose lanes come from the vectors that `chosen` returns for them.
template <class Chosen>
Undefined lanes_of_either(const ir::Value* vector, std::size_t lanes, const Chosen& chosen) {
    Undefined result;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::optional<Undefined> from = chosen(lane);
        const std::uint64_t mask = lane_mask(lane, lane_size(vector));
        if (from && (from->bytes & mask) != 0) {
            result.bytes |= mask;
            result.origin = from->origin;
        }
    }
    return result;
}

/// All of `value` is undefined if `from` is.
std::optional<Undefined> all_of(const ir::Value* value, const std::optional<Undefined>& from) {
    if (!from)
        return std::nullopt;
    return Undefined{low(value->type->value_size()), from->origin};
}

/// Whether the result of an integer operation may not depend on some bytes of its operands.
bool drops_bytes(const ir::Instruction* instruction) {
    switch (instruction->opcode) {
    case Opcode::bit_and:
    case Opcode::bit_or:
    case Opcode::mul:
    case Opcode::shl:
    case Opcode::lshr:
    case Opcode::trunc:
    case Opcode::zext:
        return true;
    default:
        return false;
    }
}

/// The undefined bytes of the bitwise AND or OR of `a` and `b`.
std::uint64_t undefined_after_bits(bool is_or, const LaneOperand& a, const LaneOperand& b) {
    std::uint64_t result = 0;
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

/// The undefined bytes of the result for two lanes of an operation that may drop some.
std::uint64_t undefined_after(const ir::Instruction& instruction, const LaneOperand& a,
                              const LaneOperand& b) {
    if ((a.undefined | b.undefined) == 0)
        return 0;
    switch (instruction.opcode) {
    case Opcode::trunc:
    case Opcode::zext:
        return a.undefined;
    case Opcode::mul:
        return (a.undefined == 0 && a.value == 0) || (b.undefined == 0 && b.value == 0) ? 0
                                                                                        : all_bytes;
    case Opcode::shl:
    case Opcode::lshr: {
        if (b.undefined != 0)
            return all_bytes;
        // A byte of the result has parts of two neighbors, unless whole bytes are shifted.
        const std::size_t bytes = b.value / 8 % most_bytes;
        const std::size_t more = b.value % 8 == 0 ? 0 : 1;
        return instruction.opcode == Opcode::shl
                   ? a.undefined << bytes | a.undefined << (bytes + more)
                   : a.undefined >> bytes | a.undefined >> (bytes + more);
    }
    default:
        return undefined_after_bits(instruction.opcode == Opcode::bit_or, a, b);
    }
}

/// Whether `instruction` calls OpenCL's select().
bool is_select_call(const ir::Instruction* instruction) {
    return instruction->opcode == Opcode::call && instruction->callee != nullptr &&
           instruction->callee->name.starts_with("_Z6select");
}

} // namespace

// --- memory -----------------------------------------------------------------------------------------

void StoredOrigins::note(ir::Address address, std::size_t size, const Origin& origin) {
    for (ir::Address word = word_of(address); word < address + size; word += stored_word)
        words_[word] = origin;
}

const Origin* StoredOrigins::find(ir::Address address, std::uint64_t undefined) const {
    for (std::size_t byte = 0; byte < most_bytes && !words_.empty(); ++byte) {
        const auto stored =
            (undefined >> byte & 1U) == 0 ? words_.end() : words_.find(word_of(address + byte));
        if (stored != words_.end())
            return &stored->second;
    }
    return nullptr;
}

void FirstStores::note(ir::Address address, std::size_t size, const Store& store) {
    for (ir::Address word = word_of(address); word < address + size; word += stored_word)
        words_.try_emplace(word, store);
}

const FirstStores::Store* FirstStores::find(ir::Address address) const {
    const auto stored = words_.find(word_of(address));
    return stored == words_.end() ? nullptr : &stored->second;
}

std::set<std::uint32_t> FirstStores::sites_of(std::uint32_t buffer) const {
    std::set<std::uint32_t> sites;
    for (const auto& [address, store] : words_) {
        if (ir::buffer_of(address) == buffer)
            sites.insert(store.site);
    }
    return sites;
}

void DefinedBytes::reset(std::size_t size) {
    undefined_.assign(size, 1);
    missing_ = size;
}

void DefinedBytes::set(std::size_t at, bool undefined) {
    missing_ -= static_cast<std::size_t>(undefined_[at]);
    undefined_[at] = undefined ? 1 : 0;
    missing_ += static_cast<std::size_t>(undefined_[at]);
}

void DefinedBytes::write(std::size_t offset, std::size_t size) {
    if (is_complete() || offset >= undefined_.size())
        return;
    char* const first = undefined_.data() + offset;
    size = std::min(size, undefined_.size() - offset);
    missing_ -= static_cast<std::size_t>(std::count(first, first + size, 1));
    std::fill_n(first, size, char{0});
}

void DefinedBytes::mark(std::size_t offset, std::size_t size, std::uint64_t undefined) {
    for (std::size_t i = 0; i < std::min(size, most_bytes) && offset + i < undefined_.size(); ++i)
        set(offset + i, (undefined >> i & 1U) != 0);
}

std::uint64_t DefinedBytes::read(std::size_t offset, std::size_t size) const {
    std::uint64_t result = 0;
    if (is_complete() || size > most_bytes || offset >= undefined_.size())
        return 0;
    const char* const first = undefined_.data() + offset;
    size = std::min(size, undefined_.size() - offset);
    if (std::memchr(first, 1, size) == nullptr)
        return 0;
    for (std::size_t i = 0; i < size; ++i)
        result |= static_cast<std::uint64_t>(first[i]) << i; // 0 or 1
    return result;
}

void DefinedBytes::copy(std::size_t offset, const DefinedBytes& from, std::size_t from_offset,
                        std::size_t size) {
    if (from.is_complete()) {
        write(offset, size);
        return;
    }
    for (std::size_t i = 0; i < size; ++i)
        mark(offset + i, 1, from.read(from_offset + i, 1));
}

void UndefinedValues::restart() {
    for (std::size_t buffer = 0; buffer < variables_.size(); ++buffer)
        forget(buffer);
    values_.clear();
    new_.reset();
}

void UndefinedValues::on_alloca(std::size_t buffer, const ir::Instruction* instruction,
                                std::size_t size) {
    if (variables_.size() <= buffer)
        variables_.resize(buffer + 1);
    variables_[buffer].instruction = instruction;
    variables_[buffer].bytes.reset(size);
    variables_[buffer].origin = {};
}

void UndefinedValues::load_private(const Variable& variable, ir::Address address,
                                   std::size_t offset, std::size_t size,
                                   const ir::Instruction* instruction) {
    const bool stored = variable.origin.instruction != nullptr;
    on_undefined(variable.bytes.read(offset, size),
                 stored ? variable.origin : Origin{ir::private_space, address, instruction});
}

void UndefinedValues::on_undefined(std::uint64_t bytes, const Origin& origin) {
    if (bytes != 0)
        new_ = Undefined{bytes, origin};
}

void UndefinedValues::on_division(const vm::WorkItem& item, const ir::Instruction& division) {
    const vm::Operand divisor = item.operand(division.operands[1]);
    std::uint64_t bytes = 0;
    for (std::size_t lane = 0; lane < divisor.lanes; ++lane) {
        if (divisor.get_unsigned(lane) == 0)
            bytes |= lane_mask(lane, divisor.lane_size);
    }
    on_undefined(bytes, {ir::private_space, 0, &division});
}

void UndefinedValues::mark_private(std::size_t buffer, std::size_t offset, std::size_t size,
                                   const Undefined& value) {
    if (buffer >= variables_.size())
        return;
    variables_[buffer].bytes.mark(offset, size, value.bytes);
    variables_[buffer].origin = value.origin;
}

const ir::Instruction* UndefinedValues::variable(std::size_t buffer) const {
    return buffer < variables_.size() ? variables_[buffer].instruction : nullptr;
}

DefinedBytes* UndefinedValues::bytes(std::size_t buffer) {
    return buffer < variables_.size() ? &variables_[buffer].bytes : nullptr;
}

// --- values -----------------------------------------------------------------------------------------

std::optional<Undefined> UndefinedValues::find(const ir::Value* value) const {
    const auto known = values_.find(value);
    if (known != values_.end())
        return known->second;
    return std::nullopt;
}

void UndefinedValues::set(const ir::Value* value, const std::optional<Undefined>& undefined) {
    if (undefined && undefined->bytes != 0)
        values_[value] = *undefined;
    else if (!values_.empty())
        values_.erase(value);
}

void UndefinedValues::follow(const vm::WorkItem* item, const ir::Instruction* instruction) {
    if (new_) {
        set(instruction, new_);
        new_.reset();
    } else if (instruction->opcode == Opcode::load) {
        set(instruction, std::nullopt);
    } else if (!has_no_value(instruction)) {
        set(instruction, result_of(item, instruction));
    }
}

std::optional<Undefined> UndefinedValues::result_of(const vm::WorkItem* item,
                                                    const ir::Instruction* instruction) const {
    switch (instruction->opcode) {
    case Opcode::bitcast:
        return of(instruction->operands[0]);
    case Opcode::insert_element:
        return inserted(item, instruction);
    case Opcode::extract_element:
        return extracted(item, instruction);
    case Opcode::shuffle:
        return shuffled(instruction);
    case Opcode::select:
        return chosen(item, instruction);
    case Opcode::phi:
        return arrived(item, instruction);
    default:
        break;
    }
    if (drops_bytes(instruction))
        return byte_by_byte(item, instruction);
    if (is_select_call(instruction))
        return selected(item, instruction);
    return lane_by_lane(instruction);
}

std::optional<Undefined> UndefinedValues::inserted(const vm::WorkItem* item,
                                                   const ir::Instruction* insert) const {
    const auto vector = of(insert->operands[0]);
    const auto scalar = of(insert->operands[1]);
    const std::uint64_t lane = item->operand(insert->operands[2]).get_unsigned();
    const std::uint64_t mask = lane_mask(lane, lane_size(insert));
    const std::uint64_t bytes =
        (vector ? vector->bytes & ~mask : 0) | (scalar ? mask : std::uint64_t{0});
    return Undefined{bytes, scalar ? scalar->origin : vector ? vector->origin : Origin{}};
}

std::optional<Undefined> UndefinedValues::extracted(const vm::WorkItem* item,
                                                    const ir::Instruction* extract) const {
    const auto vector = of(extract->operands[0]);
    const std::uint64_t lane = item->operand(extract->operands[1]).get_unsigned();
    if (!vector || (vector->bytes & lane_mask(lane, lane_size(extract))) == 0)
        return std::nullopt;
    return all_of(extract, vector);
}

std::optional<Undefined> UndefinedValues::shuffled(const ir::Instruction* shuffle) const {
    const auto first = of(shuffle->operands[0]);
    const auto second = of(shuffle->operands[1]);
    const std::size_t size = lane_size(shuffle);
    const auto count = static_cast<int>(lanes_of(shuffle->operands[0]));
    Undefined result;
    std::size_t lane = 0;
    for (const int from : shuffle->mask) {
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

/// LLVM's select: a condition, for all lanes or for each, and two values.
std::optional<Undefined> UndefinedValues::chosen(const vm::WorkItem* item,
                                                 const ir::Instruction* select) const {
    if (const auto condition = of(select->operands[0]))
        return all_of(select, condition);
    const vm::Operand condition = item->operand(select->operands[0]);
    const auto choice = [&](std::size_t lane) {
        return of(select->operands[(condition.get_unsigned(lane) & 1U) != 0 ? 1 : 2]);
    };
    return condition.lanes == 1 ? choice(0) : lanes_of_either(select, condition.lanes, choice);
}

std::optional<Undefined> UndefinedValues::arrived(const vm::WorkItem* item,
                                                  const ir::Instruction* phi) const {
    const auto from = std::ranges::find(phi->successors, item->previous_block());
    return of(phi->operands[static_cast<std::size_t>(from - phi->successors.begin())]);
}

std::optional<Undefined> UndefinedValues::byte_by_byte(const vm::WorkItem* item,
                                                       const ir::Instruction* instruction) const {
    const std::size_t size = lane_size(instruction);
    const bool binary = instruction->operands.size() == 2;
    const auto first = of(instruction->operands[0]);
    const auto second = binary ? of(instruction->operands[1]) : std::nullopt;
    if (!first && !second)
        return std::nullopt;
    Undefined result;
    result.origin = first ? first->origin : second->origin;
    for (std::size_t lane = 0; lane < lanes_of(instruction); ++lane) {
        const LaneOperand a = lane_of(item, instruction->operands[0], first, lane);
        const LaneOperand b =
            binary ? lane_of(item, instruction->operands[1], second, lane) : LaneOperand{};
        const std::uint64_t bytes = undefined_after(*instruction, a, b) & low(size);
        result.bytes |= lane * size < most_bytes ? bytes << (lane * size) : 0;
    }
    return result;
}

/// OpenCL's select(a, b, c): b where c is set (its highest bit, for vectors), otherwise a.
std::optional<Undefined> UndefinedValues::selected(const vm::WorkItem* item,
                                                   const ir::Instruction* call) const {
    const ir::Value* choice = call->operands[2];
    if (const auto undefined = of(choice))
        return undefined;
    const vm::Operand value = item->operand(choice);
    return lanes_of_either(call, value.lanes, [&](std::size_t lane) {
        const std::int64_t chosen = value.get_signed(lane);
        const bool second = value.lanes == 1 ? chosen != 0 : chosen < 0;
        return of(call->operands[second ? 1 : 0]);
    });
}

/// A lane of the result is undefined if the same lane of an operand is; an operand with another
/// number of lanes counts for all of them.
std::optional<Undefined> UndefinedValues::lane_by_lane(const ir::Instruction* instruction) const {
    const std::size_t size = lane_size(instruction);
    const std::size_t count = lanes_of(instruction);
    Undefined result;
    for (const ir::Value* operand : instruction->operands) {
        const auto undefined = of(operand);
        if (!undefined)
            continue;
        const bool alike = lanes_of(operand) == count;
        for (std::size_t lane = 0; lane < count; ++lane) {
            const std::uint64_t from = alike ? lane_mask(lane, lane_size(operand)) : all_bytes;
            if ((undefined->bytes & from) != 0)
                result.bytes |= lane_mask(lane, size);
        }
        result.origin = undefined->origin;
    }
    return result;
}

// --- calls ------------------------------------------------------------------------------------------

/// The number of a private buffer is reused, for memory that counts as written.
void UndefinedValues::forget(std::size_t buffer) {
    if (buffer < variables_.size()) {
        variables_[buffer].instruction = nullptr;
        variables_[buffer].bytes.forget();
        variables_[buffer].origin = {};
    }
}

/// The private buffer at address `to` is a copy of what lies at `from`.
void UndefinedValues::copy_private(const vm::Memory& memory, ir::Address from, ir::Address to) {
    const std::size_t source = ir::buffer_of(from);
    const std::size_t target = ir::buffer_of(to);
    forget(target);
    if (source >= variables_.size())
        return;
    if (target >= variables_.size())
        variables_.resize(target + 1);
    const std::size_t size = memory.size_of(ir::buffer_of(to));
    variables_[target] = {variables_[source].instruction, {}, variables_[source].origin};
    DefinedBytes& bytes = variables_[target].bytes;
    bytes.reset(size);
    bytes.copy(0, variables_[source].bytes, ir::offset_of(from), size);
}

void UndefinedValues::on_call(const vm::WorkItem* item, const ir::Instruction* call) {
    for (const ir::Argument* parameter : call->callee->arguments) {
        const ir::Value* argument = call->operands[parameter->number];
        if (!values_.empty())
            set(parameter, of(argument));
        if (parameter->by_value != nullptr) // the function gets a copy
            copy_private(item->private_memory(), item->operand(argument).get_address(),
                         item->operand(parameter).get_address());
    }
}

void UndefinedValues::on_return(const ir::Instruction* instruction, const ir::Instruction* call) {
    if (values_.empty() || instruction->operands.empty())
        return;
    set(call, of(instruction->operands[0]));
}

} // namespace labgrind
