#include "labgrind/vm/execution.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

namespace labgrind::vm {
namespace {

using ir::Opcode;
using ir::Predicate;
using ir::Type;

/// More than the size of any structure.
constexpr std::size_t most_copied_bytes = most_local_bytes;

/// The lowest `bits` of a word.
std::uint64_t lowest(unsigned bits) {
    constexpr unsigned all = 64;
    return bits >= all ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::int64_t sign_extended(std::uint64_t value, unsigned bits) {
    const unsigned unused = 64 - bits;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

/// The value of a half, IEEE 754 binary16.
double from_half(std::uint64_t half) {
    const int exponent = static_cast<int>(half >> 10 & 0x1f);
    const auto fraction = static_cast<double>(half & 0x3ff);
    double value = std::ldexp(fraction, -24);
    if (exponent == 0x1f)
        value = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
    else if (exponent != 0)
        value = std::ldexp(fraction + 1024, exponent - 25);
    return (half & 0x8000) != 0 ? -value : value;
}

/// The nearest half, ties to even.
std::uint64_t to_half(double value) {
    const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(value);
    if (std::isnan(value))
        return sign | 0x7e00;
    if (size >= 65520)
        return sign | 0x7c00;
    int exponent = size == 0 ? -14 : std::max(std::ilogb(size), -14);
    const double units = std::nearbyint(std::ldexp(size, 10 - exponent)); // of the last place
    // A carry into the exponent gives the right result.
    return sign |
           (static_cast<std::uint64_t>(units) + (static_cast<std::uint64_t>(exponent + 14) << 10));
}

} // namespace

double get_float(const Operand& operand, std::size_t lane) {
    const std::byte* data = operand.data + lane * operand.lane_size;
    if (operand.lane_size == sizeof(float)) {
        float value = 0;
        std::memcpy(&value, data, sizeof value);
        return static_cast<double>(value);
    }
    if (operand.lane_size == sizeof(double)) {
        double value = 0;
        std::memcpy(&value, data, sizeof value);
        return value;
    }
    return from_half(operand.get_unsigned(lane));
}

std::uint64_t float_bits(double value, std::size_t size) {
    std::uint64_t bits = 0;
    if (size == sizeof(float)) {
        const auto narrow = static_cast<float>(value);
        std::memcpy(&bits, &narrow, sizeof narrow);
    } else if (size == sizeof(double)) {
        std::memcpy(&bits, &value, sizeof value);
    } else {
        bits = to_half(value);
    }
    return bits;
}

namespace {

/// For values out of range, which OpenCL leaves open and C++ does not allow: the nearest integer.
std::uint64_t to_integer(double value, unsigned bits, bool is_signed) {
    if (std::isnan(value))
        return 0;
    const double limit = std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0));
    if (is_signed) {
        if (value >= limit)
            return lowest(bits - 1);
        if (value < -limit)
            return std::uint64_t{1} << (bits - 1);
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }
    if (value <= -1)
        return 0;
    return value >= limit ? lowest(bits) : static_cast<std::uint64_t>(value);
}

template <class T> T arithmetic(Opcode opcode, T a, T b) {
    switch (opcode) {
    case Opcode::fadd:
        return a + b;
    case Opcode::fsub:
        return a - b;
    case Opcode::fmul:
        return a * b;
    case Opcode::fdiv:
        return a / b;
    default:
        return std::fmod(a, b);
    }
}

std::uint64_t arithmetic(Opcode opcode, std::uint64_t a, std::uint64_t b, unsigned bits) {
    const std::uint64_t all = lowest(bits);
    const std::int64_t left = sign_extended(a, bits);
    const std::int64_t right = sign_extended(b, bits);
    const std::uint64_t shift = b % bits; // as OpenCL specifies
    switch (opcode) {
    case Opcode::add:
        return (a + b) & all;
    case Opcode::sub:
        return (a - b) & all;
    case Opcode::mul:
        return (a * b) & all;
    case Opcode::udiv:
        return (b & all) == 0 ? all : (a & all) / (b & all);
    case Opcode::urem:
        return (b & all) == 0 ? 0 : (a & all) % (b & all);
    case Opcode::sdiv:
        if (right == 0)
            return all;
        return right == -1 ? (0 - a) & all : static_cast<std::uint64_t>(left / right) & all;
    case Opcode::srem:
        return right == 0 || right == -1 ? 0 : static_cast<std::uint64_t>(left % right) & all;
    case Opcode::shl:
        return (a << shift) & all;
    case Opcode::lshr:
        return (a & all) >> shift;
    case Opcode::ashr:
        return static_cast<std::uint64_t>(left >> shift) & all;
    case Opcode::bit_and:
        return a & b;
    case Opcode::bit_or:
        return a | b;
    default:
        return a ^ b;
    }
}

bool compare_integers(Predicate predicate, std::uint64_t a, std::uint64_t b, std::int64_t left,
                      std::int64_t right) {
    switch (predicate) {
    case Predicate::eq:
        return a == b;
    case Predicate::ne:
        return a != b;
    case Predicate::ugt:
        return a > b;
    case Predicate::uge:
        return a >= b;
    case Predicate::ult:
        return a < b;
    case Predicate::ule:
        return a <= b;
    case Predicate::sgt:
        return left > right;
    case Predicate::sge:
        return left >= right;
    case Predicate::slt:
        return left < right;
    default:
        return left <= right;
    }
}

bool compare_floats(Predicate predicate, double a, double b) {
    const bool unordered = std::isnan(a) || std::isnan(b);
    switch (predicate) {
    case Predicate::always_false:
        return false;
    case Predicate::oeq:
        return a == b;
    case Predicate::ogt:
        return a > b;
    case Predicate::oge:
        return a >= b;
    case Predicate::olt:
        return a < b;
    case Predicate::ole:
        return a <= b;
    case Predicate::one:
        return !unordered && a != b;
    case Predicate::ord:
        return !unordered;
    case Predicate::uno:
        return unordered;
    case Predicate::ueq:
        return unordered || a == b;
    case Predicate::fugt:
        return unordered || a > b;
    case Predicate::fuge:
        return unordered || a >= b;
    case Predicate::fult:
        return unordered || a < b;
    case Predicate::fule:
        return unordered || a <= b;
    case Predicate::une:
        return unordered || a != b;
    default:
        return true;
    }
}

/// The number that a name ends with, such as the lanes of vload4; 0: none.
std::size_t number_in(const std::string& name) {
    const std::size_t digits = name.find_first_of("0123456789");
    return digits == std::string::npos ? 0 : std::stoul(name.substr(digits));
}

/// The type that the first parameter points to, from a mangled list: PU3AS1Vi, PU8CLglobalDv4_f.
std::string_view element_of(std::string_view parameters) {
    constexpr std::string_view qualifiers = "PVK";
    while (!parameters.empty()) {
        const bool is_named = parameters[0] == 'U'; // then the length of a name and the name follow
        if (!is_named && qualifiers.find(parameters[0]) == std::string_view::npos)
            break;
        parameters.remove_prefix(1);
        std::size_t length = 0;
        for (; is_named && !parameters.empty() && parameters[0] >= '0' && parameters[0] <= '9';
             parameters.remove_prefix(1))
            length = 10 * length + static_cast<std::size_t>(parameters[0] - '0');
        parameters.remove_prefix(std::min(length, parameters.size()));
    }
    return parameters;
}

bool has_signed_element(std::string_view parameters) {
    const std::string_view element = element_of(parameters);
    return !element.empty() && std::string_view("ilxsca").find(element[0]) != std::string::npos;
}

/// The element size of an asynchronous copy in bytes.
std::size_t copied_element(const ir::Function& function) {
    std::string_view element = element_of(function.parameters);
    std::size_t lanes = 1;
    if (element.substr(0, 2) == "Dv") {
        lanes = number_in(std::string(element.substr(0, element.find('_'))));
        element.remove_prefix(std::min(element.find('_'), element.size() - 1) + 1);
    }
    const std::size_t size = element.substr(0, 2) == "Dh" ? 2 : bytes_of_type(element.substr(0, 1));
    if (size == 0)
        throw Stuck("the analysis cannot determine what " + function.plain_name + " copies");
    return size * (lanes == 3 ? 4 : lanes);
}

} // namespace

bool awaits_copies(const ir::Instruction& call) {
    return call.callee != nullptr && call.callee->plain_name == "wait_group_events";
}

std::vector<std::uint64_t> events_of(WorkItem& item, const ir::Instruction& call) {
    const std::uint64_t count = item.operand(call.operands[0]).get_unsigned() & lowest(32);
    const ir::Value* list = call.operands[1];
    const Address address = item.operand(list).get_address();
    Memory& memory = item.memory(list->type->space);
    std::vector<std::uint64_t> events;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Address at = address + i * sizeof(std::uint64_t);
        if (!memory.is_valid(at, sizeof(std::uint64_t)))
            break;
        events.push_back(memory.number_at(at, sizeof(std::uint64_t)));
    }
    return events;
}

Execution::Execution(WorkItem& item, const ir::Instruction& instruction)
    : item_(item), instruction_(instruction), registers_(item.registers_of(item.frames_.back())) {}

void Execution::run() {
    switch (instruction_.opcode) {
    case Opcode::ret:
        return return_from_function();
    case Opcode::branch:
        return jump(instruction_.successors.size() == 1 || (operand(0).get_unsigned() & 1U) != 0
                        ? instruction_.successors[0]
                        : instruction_.successors[1]);
    case Opcode::choose:
        return choose();
    case Opcode::unreachable:
        throw Stuck("the kernel reaches code that the compiler considers unreachable");
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::udiv:
    case Opcode::sdiv:
    case Opcode::urem:
    case Opcode::srem:
    case Opcode::shl:
    case Opcode::lshr:
    case Opcode::ashr:
    case Opcode::bit_and:
    case Opcode::bit_or:
    case Opcode::bit_xor:
        return compute_integers();
    case Opcode::negate:
    case Opcode::fadd:
    case Opcode::fsub:
    case Opcode::fmul:
    case Opcode::fdiv:
    case Opcode::frem:
        return compute_floats();
    case Opcode::icmp:
    case Opcode::fcmp:
        return compare();
    case Opcode::allocate:
        return allocate();
    case Opcode::load:
        return load();
    case Opcode::store:
        return store();
    case Opcode::step:
        return step_pointer();
    case Opcode::phi:
        return merge_paths();
    case Opcode::call:
        return call();
    case Opcode::atomicrmw:
    case Opcode::cmpxchg: // not from OpenCL C 1.2, whose atomics are functions
        throw Stuck("the analysis supports only OpenCL C's atomic functions, not the compiler's "
                    "built-in ones");
    case Opcode::fence:
        return;
    case Opcode::extract_element:
    case Opcode::insert_element:
    case Opcode::shuffle:
    case Opcode::extract_value:
    case Opcode::insert_value:
    case Opcode::select:
        return move_lanes();
    default:
        return convert();
    }
}

void Execution::jump(const ir::Block* to) { item_.frames_.back().jump_to(*to); }

void Execution::merge_paths() {
    const auto& from = instruction_.successors;
    const auto at = std::ranges::find(from, item_.previous_block());
    const Operand value = operand(static_cast<std::size_t>(at - from.begin()));
    std::memmove(result(), value.data, value.size());
}

void Execution::allocate() {
    const std::size_t count =
        instruction_.operands.empty() ? 1 : operand(0).get_unsigned() & lowest(32);
    const Address address = item_.private_memory_.allocate(count * instruction_.value_type->size,
                                                           std::byte{0xff}); // as local memory
    put(0, address);
}

void Execution::choose() {
    const Operand value = operand(0);
    const std::uint64_t all = lowest(instruction_.operands[0]->type->bits);
    for (std::size_t i = 0; i < instruction_.cases.size(); ++i) {
        if ((static_cast<std::uint64_t>(instruction_.cases[i]) & all) == value.get_unsigned())
            return jump(instruction_.successors[i + 1]);
    }
    jump(instruction_.successors[0]);
}

void Execution::return_from_function() {
    auto& frames = item_.frames_;
    const ir::Instruction* call = frames.back().call;
    if (call != nullptr && !instruction_.operands.empty()) {
        const Operand value = operand(0);
        std::memcpy(item_.registers_of(frames[frames.size() - 2]) + call->slot, value.data,
                    value.size());
    }
    item_.private_memory_.shrink(frames.back().pieces);
    item_.registers_.resize(frames.back().registers);
    frames.pop_back();
}

void Execution::enter_function() {
    const ir::Function& function = *instruction_.callee;
    item_.begin(function, &instruction_);
    const auto& frames = item_.frames_;
    registers_ = item_.registers_of(frames[frames.size() - 2]); // they may have moved
    std::byte* parameters = item_.registers_of(frames.back());
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const ir::Argument& argument = *function.arguments[i];
        const Operand given = operand(i);
        if (argument.by_value == nullptr) {
            std::memcpy(parameters + argument.slot, given.data, given.size());
            continue;
        }
        Memory& memory = item_.private_memory_;
        const std::size_t size = argument.by_value->size;
        const Address copy = memory.allocate(size);
        if (memory.is_valid(given.get_address(), size))
            std::memcpy(memory.at(copy), memory.at(given.get_address()), size);
        std::memcpy(parameters + argument.slot, &copy, sizeof copy);
    }
}

// --- values -------------------------------------------------------------------------------------------

void Execution::compute_integers() {
    const unsigned bits = instruction_.type->scalar().bits;
    if (bits > 64)
        throw Stuck("the analysis does not support integers of " + std::to_string(bits) + " bits");
    const Operand a = operand(0);
    const Operand b = operand(1);
    if (ir::divides_integers(instruction_.opcode))
        watcher().on_division(item_, instruction_);
    for (std::size_t lane = 0; lane < a.lanes; ++lane)
        put(lane,
            arithmetic(instruction_.opcode, a.get_unsigned(lane), b.get_unsigned(lane), bits));
}

void Execution::compute_floats() {
    const Operand a = operand(0);
    if (instruction_.opcode == Opcode::negate) {
        for (std::size_t lane = 0; lane < a.lanes; ++lane)
            put(lane, a.get_unsigned(lane) ^ std::uint64_t{1} << (8 * a.lane_size - 1));
        return;
    }
    const Operand b = operand(1);
    for (std::size_t lane = 0; lane < a.lanes; ++lane) {
        const double x = get_float(a, lane);
        const double y = get_float(b, lane);
        // Rounding twice would be wrong: floats are computed as floats.
        const double value =
            a.lane_size == sizeof(float)
                ? static_cast<double>(
                      arithmetic(instruction_.opcode, static_cast<float>(x), static_cast<float>(y)))
                : arithmetic(instruction_.opcode, x, y);
        put(lane, float_bits(value, a.lane_size));
    }
}

void Execution::compare() {
    const Operand a = operand(0);
    const Operand b = operand(1);
    for (std::size_t lane = 0; lane < a.lanes; ++lane) {
        const bool holds =
            instruction_.opcode == Opcode::fcmp
                ? compare_floats(instruction_.predicate, get_float(a, lane), get_float(b, lane))
                : compare_integers(instruction_.predicate, a.get_unsigned(lane),
                                   b.get_unsigned(lane), a.get_signed(lane), b.get_signed(lane));
        put(lane, holds ? 1 : 0);
    }
}

void Execution::convert() {
    const Operand from = operand(0);
    const Type& target = instruction_.type->scalar();
    const Type& source = instruction_.operands[0]->type->scalar();
    switch (instruction_.opcode) {
    case Opcode::bitcast:
    case Opcode::freeze:
    case Opcode::addrspacecast:
        std::memmove(result(), from.data, from.size());
        return;
    default:
        break;
    }
    for (std::size_t lane = 0; lane < from.lanes; ++lane) {
        const std::uint64_t value = from.get_unsigned(lane);
        switch (instruction_.opcode) {
        case Opcode::trunc:
            put(lane, value & lowest(target.bits));
            break;
        case Opcode::zext:
        case Opcode::ptrtoint:
        case Opcode::inttoptr:
            put(lane, value);
            break;
        case Opcode::sext:
            put(lane, static_cast<std::uint64_t>(sign_extended(value, source.bits)) &
                          lowest(target.bits));
            break;
        case Opcode::fptrunc:
        case Opcode::fpext:
            put(lane, float_bits(get_float(from, lane), target.size));
            break;
        case Opcode::uitofp:
            // From 64 bits to a float in one step: rounded once.
            put(lane, target.size == sizeof(float)
                          ? float_bits(static_cast<double>(static_cast<float>(value)), target.size)
                          : float_bits(static_cast<double>(value), target.size));
            break;
        case Opcode::sitofp: {
            const std::int64_t number = sign_extended(value, source.bits);
            put(lane, target.size == sizeof(float)
                          ? float_bits(static_cast<double>(static_cast<float>(number)), target.size)
                          : float_bits(static_cast<double>(number), target.size));
            break;
        }
        case Opcode::fptoui:
        case Opcode::fptosi:
            put(lane, to_integer(get_float(from, lane), target.bits,
                                 instruction_.opcode == Opcode::fptosi) &
                          lowest(target.bits));
            break;
        default:
            throw Stuck("the analysis does not support an instruction that the compiler emitted");
        }
    }
}

void Execution::move_lanes() {
    const Operand first = operand(0);
    const Type& type = *instruction_.type;
    const std::size_t size = type.scalar().size;
    const auto set = [&](std::size_t lane, const std::byte* from) {
        std::memmove(result() + lane * size, from, size);
    };
    switch (instruction_.opcode) {
    case Opcode::extract_element:
        set(0, first.data + operand(1).get_unsigned() % first.lanes * first.lane_size);
        break;
    case Opcode::insert_element:
        std::memmove(result(), first.data, first.size());
        set(operand(2).get_unsigned() % first.lanes, operand(1).data);
        break;
    case Opcode::shuffle: {
        std::vector<std::byte> lanes(type.lanes() * size);
        for (std::size_t lane = 0; lane < type.lanes(); ++lane) {
            const auto from = static_cast<std::size_t>(std::max(instruction_.mask[lane], 0));
            const Operand source = from < first.lanes ? first : operand(1);
            std::memcpy(lanes.data() + lane * size,
                        source.data + (from < first.lanes ? from : from - first.lanes) * size,
                        size);
        }
        std::memcpy(result(), lanes.data(), lanes.size());
        break;
    }
    case Opcode::select:
        for (std::size_t lane = 0; lane < type.lanes(); ++lane) {
            const bool chosen = (first.get_unsigned(first.lanes == 1 ? 0 : lane) & 1U) != 0;
            set(lane, operand(chosen ? 1 : 2).data + lane * size);
        }
        break;
    default: {
        const bool insert = instruction_.opcode == Opcode::insert_value;
        const Type* part = instruction_.operands[0]->type;
        std::size_t offset = 0;
        for (const unsigned index : instruction_.indices) {
            const bool structure = part->is(Type::Kind::structure);
            offset += structure ? part->offsets[index] : index * part->element->size;
            part = structure ? part->fields[index] : part->element;
        }
        if (insert) {
            std::memmove(result(), first.data, instruction_.type->size);
            std::memcpy(result() + offset, operand(1).data, operand(1).size());
        } else {
            std::memmove(result(), first.data + offset, part->value_size());
        }
    }
    }
}

// --- memory -------------------------------------------------------------------------------------------

void Execution::step_pointer() {
    const Operand base = operand(0);
    if (base.lanes != 1)
        throw Stuck("the analysis does not support vectors of pointers");
    Address address = base.get_address();
    const Type* type = instruction_.value_type;
    for (std::size_t i = 1; i < instruction_.operands.size(); ++i) {
        const std::int64_t index = operand(i).get_signed();
        if (i == 1) {
            address += static_cast<std::uint64_t>(index) * type->size;
        } else if (type->is(Type::Kind::structure)) {
            address += type->offsets[static_cast<std::size_t>(index)];
            type = type->fields[static_cast<std::size_t>(index)];
        } else {
            type = type->element;
            address += static_cast<std::uint64_t>(index) * type->size;
        }
    }
    put(0, address);
}

void Execution::load() {
    const Address address = operand(0).get_address();
    read_memory(*instruction_.operands[0], address, result(),
                std::size_t{instruction_.result.lane_size} * instruction_.result.lanes);
}

void Execution::store() {
    const Operand value = operand(0);
    write_memory(*instruction_.operands[1], operand(1).get_address(), value.data, value.size());
}

/// Reads from `address` in the address space of `pointer`; zeros if the address is not valid.
void Execution::read_memory(const ir::Value& pointer, Address address, std::byte* to,
                            std::size_t size) {
    Memory& memory = item_.memory(pointer.type->space);
    watcher().on_load(item_, memory, address, size);
    if (memory.is_valid(address, size)) {
        std::memcpy(to, memory.at(address), size);
        return;
    }
    std::memset(to, 0, size);
    item_.group().launch().note_stray(item_, address, false);
}

/// Does nothing if the address is not valid.
void Execution::write_memory(const ir::Value& pointer, Address address, const std::byte* from,
                             std::size_t size) {
    Memory& memory = item_.memory(pointer.type->space);
    watcher().on_store(item_, memory, address, size, from);
    if (memory.is_valid(address, size))
        std::memcpy(memory.at(address), from, size);
    else
        item_.group().launch().note_stray(item_, address, true);
}

// --- calls --------------------------------------------------------------------------------------------

void Execution::call() {
    const ir::Function* function = instruction_.callee;
    if (function == nullptr)
        throw Stuck("a kernel calls a function through a pointer, which OpenCL C does not allow");
    if (!function->is_declaration())
        return enter_function();
    const Builtin& builtin = item_.group().launch().builtin(*function);
    if (!builtin.pure)
        return (this->*builtin.execute)();
    std::array<Operand, most_parameters> arguments;
    const std::size_t count = instruction_.operands.size();
    for (std::size_t i = 0; i < count; ++i)
        arguments.at(i) = operand(i);
    builtin.pure({arguments.data(), count}, result());
}

namespace {

template <Size3 (*sizes)(const WorkItem&), std::size_t otherwise>
std::size_t in_dimension(const WorkItem& item, std::size_t dimension) {
    const Size3 all = sizes(item);
    return dimension < all.size() ? all[dimension] : otherwise;
}

Size3 global_size(const WorkItem& item) { return item.group().launch().global_size; }
Size3 group_size(const WorkItem& item) { return item.group().launch().group_size; }
Size3 group_counts(const WorkItem& item) { return item.group().launch().group_counts(); }
Size3 global_offset(const WorkItem& item) { return item.group().launch().global_offset; }
Size3 global_id(const WorkItem& item) { return item.global_id(); }
Size3 local_id(const WorkItem& item) { return item.local_id(); }
Size3 group_id(const WorkItem& item) { return item.group().id(); }
std::size_t dimensions(const WorkItem& item, std::size_t /*none*/) {
    return item.group().launch().dimensions;
}
std::size_t local_number(const WorkItem& item, std::size_t /*none*/) { return item.number(); }
std::size_t global_number(const WorkItem& item, std::size_t /*none*/) {
    const Launch& launch = item.group().launch();
    Size3 id = item.global_id();
    for (std::size_t i = 0; i < id.size(); ++i)
        id[i] -= launch.global_offset[i];
    return linear(id, launch.global_size);
}

} // namespace

void (Execution::*Execution::find(const std::string& name))() {
    using Handler = void (Execution::*)();
    static const std::unordered_map<std::string, Handler> by_name{
        {"get_work_dim", &Execution::ask_for_position<dimensions>},
        {"get_global_size", &Execution::ask_for_position<in_dimension<global_size, 1>>},
        {"get_local_size", &Execution::ask_for_position<in_dimension<group_size, 1>>},
        {"get_enqueued_local_size", &Execution::ask_for_position<in_dimension<group_size, 1>>},
        {"get_num_groups", &Execution::ask_for_position<in_dimension<group_counts, 1>>},
        {"get_global_offset", &Execution::ask_for_position<in_dimension<global_offset, 0>>},
        {"get_global_id", &Execution::ask_for_position<in_dimension<global_id, 0>>},
        {"get_local_id", &Execution::ask_for_position<in_dimension<local_id, 0>>},
        {"get_group_id", &Execution::ask_for_position<in_dimension<group_id, 0>>},
        {"get_local_linear_id", &Execution::ask_for_position<local_number>},
        {"get_global_linear_id", &Execution::ask_for_position<global_number>},
        {"barrier", &Execution::wait},
        {"work_group_barrier", &Execution::wait},
        {"wait_group_events", &Execution::wait},
        {"mem_fence", &Execution::do_nothing},
        {"read_mem_fence", &Execution::do_nothing},
        {"write_mem_fence", &Execution::do_nothing},
        {"prefetch", &Execution::do_nothing},
        {"printf", &Execution::give_zero},
        {"async_work_group_copy", &Execution::ask_for_copy},
        {"async_work_group_strided_copy", &Execution::ask_for_copy},
        {"fract", &Execution::compute_with_pointer},
        {"modf", &Execution::compute_with_pointer},
        {"sincos", &Execution::compute_with_pointer},
        {"frexp", &Execution::compute_with_pointer},
        {"lgamma_r", &Execution::compute_with_pointer},
        {"remquo", &Execution::compute_with_pointer}};
    static const std::vector<std::pair<std::string, Handler>> by_beginning{
        {"atomic_", &Execution::change_atomically},
        {"atom_", &Execution::change_atomically},
        {"vload", &Execution::load_vector},
        {"vstore", &Execution::store_vector},
        {"llvm.mem", &Execution::copy_memory}};
    if (const auto known = by_name.find(name); known != by_name.end())
        return known->second;
    for (const auto& [beginning, handler] : by_beginning) {
        if (name.starts_with(beginning))
            return handler;
    }
    throw Stuck("the analysis does not support the built-in function " + name +
                " yet; please report this");
}

void Execution::wait() { item_.state_ = WorkItem::State::waits; }

/// async_work_group_copy(to, from, count, event); _strided_copy has a stride before the event.
void Execution::ask_for_copy() {
    const auto& operands = instruction_.operands;
    AsyncCopy copy;
    copy.asked_by = &instruction_;
    copy.to = operand(0).get_address();
    copy.from = operand(1).get_address();
    copy.to_space = operands[0]->type->space;
    copy.from_space = operands[1]->type->space;
    copy.count = operand(2).get_unsigned();
    copy.element = copied_element(*instruction_.callee);
    if (begins_with("async_work_group_strided")) {
        (copy.to_space == ir::local_space ? copy.from_stride : copy.to_stride) =
            operand(3).get_unsigned();
    }
    const std::uint64_t event = operand(operands.size() - 1).get_unsigned();
    auto& copies = item_.group().copies();
    const std::size_t number = item_.copies_++;
    if (number == copies.size()) {
        copy.event = event != 0 ? event : number + 1;
        copies.push_back(copy);
    }
    AsyncCopy& known = copies[number];
    const bool same = known.asked_by == copy.asked_by && known.to == copy.to &&
                      known.from == copy.from && known.count == copy.count &&
                      known.to_stride == copy.to_stride && known.from_stride == copy.from_stride;
    if (!same)
        watcher().on_copy_divergence(item_);
    ++known.asked;
    put(0, known.event);
}

void Execution::change_atomically() {
    const Address address = operand(0).get_address();
    Memory& memory = item_.memory(instruction_.operands[0]->type->space);
    const std::size_t size = instruction_.type->size;
    if (!memory.is_valid(address, size)) {
        item_.group().launch().note_stray(item_, address, true);
        return put(0, 0);
    }
    watcher().on_atomic(item_, memory, address, size);
    const auto bits = static_cast<unsigned>(8 * size);
    const std::uint64_t before = memory.number_at(address, size);
    const std::uint64_t given = instruction_.operands.size() > 1 ? operand(1).get_unsigned() : 1;
    const auto is_less = [&] {
        return has_signed_element(instruction_.callee->parameters)
                   ? sign_extended(given, bits) < sign_extended(before, bits)
                   : given < before;
    };
    std::uint64_t after = given;
    switch (instruction_.atomic()) {
    case ir::Atomic::add:
        after = before + given;
        break;
    case ir::Atomic::sub:
        after = before - given;
        break;
    case ir::Atomic::min:
        after = is_less() ? given : before;
        break;
    case ir::Atomic::max:
        after = is_less() ? before : given;
        break;
    case ir::Atomic::bit_and:
        after = before & given;
        break;
    case ir::Atomic::bit_or:
        after = before | given;
        break;
    case ir::Atomic::bit_xor:
        after = before ^ given;
        break;
    case ir::Atomic::exchange:
        break;
    case ir::Atomic::compare_exchange:
        after = before == given ? operand(2).get_unsigned() : before;
        break;
    default:
        throw Stuck("the analysis does not support the built-in function " + name() +
                    " yet; please report this");
    }
    std::memcpy(memory.at(address), &after, size);
    put(0, before);
}

namespace {

/// What a name such as vload4 or vstorea_half3_rte means.
struct VectorAccess {
    std::size_t lanes = 1;
    std::size_t lane_size = 0; ///< bytes in memory
    std::size_t distance = 1;  ///< lanes from one vector to the next
    bool halves = false;

    VectorAccess(const std::string& name, const Type& type)
        : lanes(std::max<std::size_t>(number_in(name), 1)),
          halves(name.find("_half") != std::string::npos) {
        lane_size = halves ? 2 : type.scalar().size;
        const bool aligned = name.starts_with("vloada") || name.starts_with("vstorea");
        distance = aligned && lanes == 3 ? 4 : lanes;
    }
    std::size_t size() const { return lanes * lane_size; }
};

} // namespace

/// vloadn(offset, pointer)
void Execution::load_vector() {
    const VectorAccess access(name(), *instruction_.type);
    const ir::Value* pointer = instruction_.operands[1];
    const Address address =
        operand(1).get_address() + operand(0).get_unsigned() * access.distance * access.lane_size;
    std::vector<std::byte> bytes(access.size());
    read_memory(*pointer, address, bytes.data(), bytes.size());
    const Operand read{bytes.data(), access.lane_size, access.lanes};
    const std::size_t size = instruction_.type->scalar().size;
    for (std::size_t lane = 0; lane < access.lanes; ++lane)
        put(lane, access.halves ? float_bits(from_half(read.get_unsigned(lane)), size)
                                : read.get_unsigned(lane));
}

/// vstoren(data, offset, pointer)
void Execution::store_vector() {
    const VectorAccess access(name(), *instruction_.operands[0]->type);
    const ir::Value* pointer = instruction_.operands[2];
    const Operand data = operand(0);
    const Address address =
        operand(2).get_address() + operand(1).get_unsigned() * access.distance * access.lane_size;
    std::vector<std::byte> bytes(access.size());
    for (std::size_t lane = 0; lane < access.lanes; ++lane) {
        const std::uint64_t value =
            access.halves ? to_half(get_float(data, lane)) : data.get_unsigned(lane);
        std::memcpy(bytes.data() + lane * access.lane_size, &value, access.lane_size);
    }
    write_memory(*pointer, address, bytes.data(), bytes.size());
}

/// memcpy, memmove and memset, with which the compiler copies structures.
void Execution::copy_memory() {
    const bool fills = begins_with("llvm.memset");
    const auto& operands = instruction_.operands;
    const std::size_t size = operand(2).get_unsigned();
    if (size > most_copied_bytes)
        throw Stuck("line " + std::to_string(instruction_.line) + " copies " +
                    std::to_string(size) + " bytes at once");
    std::vector<std::byte> bytes(size, fills ? std::byte(operand(1).get_unsigned()) : std::byte{0});
    if (!fills)
        read_memory(*operands[1], operand(1).get_address(), bytes.data(), size);
    write_memory(*operands[0], operand(0).get_address(), bytes.data(), size);
}

namespace {

/// Both results of a function that stores a second one.
struct Two {
    double first = 0;
    double second = 0;
    bool is_integer = false; ///< the second
};

Two compute_two(const std::string& name, double x, double y, bool single) {
    if (name == "fract") {
        const double whole = std::floor(x);
        const double below_one =
            single ? static_cast<double>(std::nextafterf(1.0F, 0.0F)) : std::nextafter(1.0, 0.0);
        return {std::isinf(x) ? std::copysign(0.0, x) : std::fmin(x - whole, below_one), whole};
    }
    if (name == "modf") {
        double whole = 0;
        const double rest = std::modf(x, &whole);
        return {rest, whole};
    }
    if (name == "sincos")
        return {std::sin(x), std::cos(x)};
    int exponent = 0;
    if (name == "frexp") {
        const double mantissa = std::frexp(x, &exponent);
        return {mantissa, static_cast<double>(exponent), true};
    }
    if (name == "lgamma_r") {
        const double value = ::lgamma_r(x, &exponent);
        return {value, static_cast<double>(exponent), true};
    }
    const double value = std::remquo(x, y, &exponent);
    return {value, static_cast<double>(exponent), true};
}

} // namespace

/// Functions that store a second result through their last argument, a pointer.
void Execution::compute_with_pointer() {
    const std::size_t last = instruction_.operands.size() - 1;
    const Operand x = operand(0);
    const Operand y = last == 2 ? operand(1) : x;
    std::vector<std::byte> second;
    for (std::size_t lane = 0; lane < x.lanes; ++lane) {
        const Two two = compute_two(name(), get_float(x, lane), get_float(y, lane),
                                    x.lane_size == sizeof(float));
        put(lane, float_bits(two.first, x.lane_size));
        const std::size_t size = two.is_integer ? sizeof(std::int32_t) : x.lane_size;
        const std::uint64_t bits =
            two.is_integer ? static_cast<std::uint64_t>(static_cast<std::int64_t>(two.second))
                           : float_bits(two.second, size);
        second.resize(second.size() + size);
        std::memcpy(second.data() + second.size() - size, &bits, size);
    }
    write_memory(*instruction_.operands[last], operand(last).get_address(), second.data(),
                 second.size());
}

} // namespace labgrind::vm
