#include "labgrind/program/dataflow.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace labgrind {
namespace {

using ir::Opcode;
using Kind = ir::Type::Kind;

template <std::size_t count>
bool is_one_of(const std::string& name, const std::array<const char*, count>& names) {
    return std::ranges::find(names, name) != names.end();
}

template <std::size_t count>
bool begins_with_one_of(const std::string& name, const std::array<const char*, count>& beginnings) {
    return std::ranges::any_of(beginnings,
                               [&](const char* beginning) { return name.starts_with(beginning); });
}

/// Built-in functions whose arguments are addresses or counts.
bool takes_addresses(const std::string& name) {
    return begins_with_one_of(name,
                              std::array{"vload", "get_", "async_", "prefetch", "wait_", "printf",
                                         "barrier", "work_group_barrier", "mem_fence", "read_",
                                         "write_mem_fence", "llvm.dbg", "llvm.lifetime"});
}

/// Built-in functions that compare their arguments.
bool compares(const std::string& name) {
    return is_one_of(name, std::array{"min", "max", "fmin", "fmax", "clamp", "minmag", "maxmag",
                                      "select", "bitselect", "step", "any", "all"}) ||
           begins_with_one_of(name, std::array{"is"});
}

/// Built-in functions that choose lanes by numbers, or count bits.
bool looks_up(const std::string& name) {
    return is_one_of(name, std::array{"shuffle", "shuffle2", "popcount", "clz"});
}

/// Built-in functions whose result is one of their arguments, or a property of them.
bool chooses(const std::string& name) {
    return compares(name) || looks_up(name) ||
           begins_with_one_of(name, std::array{"convert_", "vload"});
}

bool is_pointer(const ir::Value& value) { return value.type->is(Kind::pointer); }

/// The number of elements of a vector; 1 for other values.
std::uint32_t lanes_of(const ir::Value& value) {
    return value.type == nullptr ? 1 : static_cast<std::uint32_t>(value.type->lanes());
}

/// The value that a pointer is computed from.
const ir::Value* root_of(const ir::Value* pointer) {
    for (;;) {
        const ir::Instruction* step = ir::as_instruction(pointer);
        if (step == nullptr || (step->opcode != Opcode::step && step->opcode != Opcode::bitcast &&
                                step->opcode != Opcode::addrspacecast))
            return pointer;
        pointer = step->operands[0];
    }
}

/// Whether a pointer points into a constant of the program.
bool is_constant_table(const ir::Value* pointer) {
    const ir::Global* global = ir::as_global(root_of(pointer));
    return global != nullptr && global->is_constant;
}

/// Whether an address is used by anything but loads and stores that name it.
bool escapes(const ir::Value& address) {
    return std::ranges::any_of(address.users, [&](const ir::Instruction* user) {
        switch (user->opcode) {
        case Opcode::load:
            return false;
        case Opcode::store:
            return user->operands[0] == &address;
        case Opcode::step:
        case Opcode::bitcast:
            return escapes(*user);
        default:
            return true;
        }
    });
}

/// The bits of an integer, or of each element of a vector of integers; 0 for others.
std::uint32_t integer_bits(const ir::Value& value) {
    return value.type != nullptr && value.type->scalar().is(Kind::integer)
               ? value.type->scalar().bits
               : 0;
}

/// The number of 32-bit words in a number, which may hold several numbers.
std::uint32_t words_in(const ir::Value& value) {
    constexpr std::uint32_t word = 32;
    return std::max((integer_bits(value) + word - 1) / word, 1U);
}

bool is_binary(Opcode opcode) { return opcode >= Opcode::add && opcode <= Opcode::bit_xor; }

const ir::Function* function_of(const ir::Instruction& instruction) {
    return instruction.block->function;
}

/// Whether a call is of a function that the program defines.
bool is_of_program(const ir::Instruction& call) {
    return call.callee != nullptr && !call.callee->is_declaration();
}

} // namespace

const ir::Instruction* variable_of(const ir::Value* pointer) {
    return ir::as(root_of(pointer), Opcode::allocate);
}

namespace {

/// The parameter that a pointer is computed from, or null. Without optimization, the parameter is
/// stored in a variable first; nothing else may be.
const ir::Argument* parameter_of(const ir::Value* pointer) {
    const ir::Value* root = root_of(pointer);
    const ir::Instruction* load = ir::as(root, Opcode::load);
    if (load == nullptr)
        return ir::as_argument(root);
    const ir::Argument* parameter = nullptr;
    for (const ir::Instruction* user : load->operands[0]->users) {
        if (user->opcode != Opcode::store)
            continue;
        const ir::Argument* stored = ir::as_argument(user->operands[0]);
        if (parameter != nullptr || stored == nullptr)
            return nullptr;
        parameter = stored;
    }
    return parameter;
}

} // namespace

std::vector<int> store_lines(const ir::Function& kernel) {
    std::vector<int> lines(kernel.arguments.size());
    for (const ir::Instruction* one : kernel.instructions()) {
        const ir::Argument* parameter =
            one->opcode == Opcode::store ? parameter_of(one->operands[1]) : nullptr;
        if (parameter != nullptr && lines[parameter->number] == 0)
            lines[parameter->number] = one->line;
    }
    return lines;
}

DataFlow::DataFlow(const ir::Module& module) {
    find_escapes(module);
    const std::vector<const ir::Instruction*> all = module.instructions();
    // A pass follows a value to the end of the text, so a program needs few, unless it is made to need
    // many: then everything counts.
    constexpr int most_passes = 100;
    const auto repeat = [&](const auto& follow, Values& values, Values& holders) {
        std::size_t before = 0;
        int passes = 0;
        do {
            before = values.size() + holders.size();
            for (const ir::Instruction* one : all)
                follow(*one);
        } while (values.size() + holders.size() != before && ++passes < most_passes);
        if (passes == most_passes) {
            values.insert(all.begin(), all.end());
            holders.insert(all.begin(), all.end());
        }
    };
    repeat([&](const auto& instruction) { follow_forwards(instruction); }, data_, holds_data_);
    repeat([&](const auto& instruction) { follow_backwards(instruction); }, matters_,
           holds_matters_);
}

/// Finds escaping variables, and arguments by value that are data.
void DataFlow::find_escapes(const ir::Module& module) {
    for (const ir::Instruction* one : module.instructions()) {
        if (one->opcode == Opcode::allocate && escapes(*one))
            escaping_.insert(one);
    }
    for (const ir::Function* function : module.functions()) {
        if (!function->is_kernel)
            continue;
        for (const ir::Argument* argument : function->arguments) {
            if (!is_pointer(*argument) && !argument->type->is(Kind::integer))
                data_.insert(argument);
        }
    }
}

bool DataFlow::loads_data(const ir::Value* pointer) const {
    if (is_data(pointer))
        return true; // looked up in a table
    if (const ir::Instruction* variable = variable_of(pointer))
        return holds_data_.contains(variable) || escaping_.contains(variable);
    return !is_constant_table(pointer);
}

bool DataFlow::gives_data(const ir::Instruction& call) const {
    if (call.callee == nullptr)
        return true;
    if (is_of_program(call))
        return holds_data_.contains(call.callee);
    return std::ranges::any_of(call.operands, [&](const ir::Value* argument) {
        return is_data(argument) || (is_pointer(*argument) && loads_data(argument));
    });
}

void DataFlow::follow_forwards(const ir::Instruction& instruction) {
    const auto& operands = instruction.operands;
    switch (instruction.opcode) {
    case Opcode::load:
        if (loads_data(operands[0]))
            data_.insert(&instruction);
        return;
    case Opcode::store: {
        const ir::Instruction* variable = variable_of(operands[1]);
        if (variable != nullptr && is_data(operands[0]))
            holds_data_.insert(variable);
        return;
    }
    case Opcode::call:
        follow_call_forwards(instruction);
        return;
    default:
        break;
    }
    if (std::ranges::none_of(operands, [&](const ir::Value* operand) { return is_data(operand); }))
        return;
    if (instruction.opcode == Opcode::ret)
        holds_data_.insert(function_of(instruction));
    data_.insert(&instruction);
}

void DataFlow::follow_call_forwards(const ir::Instruction& call) {
    if (is_of_program(call)) {
        for (const ir::Argument* parameter : call.callee->arguments) {
            if (is_data(call.operands[parameter->number]))
                data_.insert(parameter);
        }
    }
    if (gives_data(call))
        data_.insert(&call);
}

void DataFlow::follow_backwards(const ir::Instruction& instruction) {
    const auto& operands = instruction.operands;
    switch (instruction.opcode) {
    case Opcode::store: {
        const ir::Instruction* variable = variable_of(operands[1]);
        if (variable == nullptr || escaping_.contains(variable) ||
            holds_matters_.contains(variable))
            matters_.insert(operands[0]);
        break;
    }
    case Opcode::ret:
        if (!operands.empty() && holds_matters_.contains(function_of(instruction)))
            matters_.insert(operands[0]);
        break;
    case Opcode::call:
        follow_call_backwards(instruction);
        break;
    case Opcode::load: {
        if (!matters(&instruction))
            break;
        const ir::Instruction* variable = variable_of(operands[0]);
        if (variable != nullptr)
            holds_matters_.insert(variable);
        if (variable != nullptr || is_constant_table(operands[0]))
            matters_.insert(operands[0]); // a table to look results up in
        break;
    }
    default:
        if (matters(&instruction))
            matters_.insert(operands.begin(), operands.end());
    }
}

void DataFlow::follow_call_backwards(const ir::Instruction& call) {
    if (is_of_program(call)) {
        if (matters(&call))
            holds_matters_.insert(call.callee);
        for (const ir::Argument* parameter : call.callee->arguments) {
            if (matters(parameter))
                matters_.insert(call.operands[parameter->number]);
        }
        return;
    }
    const std::string name = call.callee == nullptr ? "" : call.callee->plain_name;
    if (takes_addresses(name))
        return;
    if (name.starts_with("vstore")) {
        matters_.insert(call.operands[0]);
        return;
    }
    const bool writes = call.type == nullptr || call.type->is(Kind::nothing) ||
                        std::ranges::any_of(call.operands, [](const ir::Value* argument) {
                            return is_pointer(*argument);
                        });
    if (writes || matters(&call))
        std::copy_if(call.operands.begin(), call.operands.end(),
                     std::inserter(matters_, matters_.end()),
                     [](const ir::Value* argument) { return !is_pointer(*argument); });
}

/// The number of lanes of data in the operands, without pointers.
std::uint32_t DataFlow::lanes_of_data(const ir::Instruction& instruction) const {
    std::uint32_t lanes = 0;
    for (const ir::Value* operand : instruction.operands) {
        if (!is_pointer(*operand) && is_data(operand))
            lanes += lanes_of(*operand);
    }
    return lanes;
}

std::uint32_t DataFlow::additions_of_call(const ir::Instruction& call) const {
    if (call.callee == nullptr || is_of_program(call))
        return 0; // the instructions of the function count
    const std::string& name = call.callee->plain_name;
    const std::uint32_t from = lanes_of_data(call);
    if (call.callee->is_atomic()) {
        const ir::Atomic operation = call.atomic();
        const bool adds = operation != ir::Atomic::min && operation != ir::Atomic::max &&
                          operation < ir::Atomic::exchange;
        return adds && from != 0 ? words_in(call) : 0;
    }
    const std::uint32_t to = lanes_of(call);
    if (from == 0 || !matters(&call))
        return 0;
    if (name == "dot")
        return std::max(lanes_of(*call.operands[0]) - 1, std::max(from, to) - to);
    if (name == "mad" || name == "fma" || name.starts_with("llvm.fmuladd"))
        return std::max(to, std::max(from, to) - to);
    if (chooses(name))
        return 0;
    // An integer may hold two numbers, and one multiplication can add them.
    if (integer_bits(call) != 0 && call.operands.size() > 1)
        return std::max(to * words_in(call), std::max(from, to) - to);
    return std::max(from, to) - to;
}

std::uint32_t DataFlow::additions(const ir::Instruction& instruction) const {
    std::ptrdiff_t of_data = 2;
    switch (instruction.opcode) {
    case Opcode::call:
        return additions_of_call(instruction);
    case Opcode::fadd:
    case Opcode::fsub:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
        of_data = 1; // a number from memory and any other one; an integer may hold two numbers
        break;
    case Opcode::step:
    case Opcode::extract_element: // data chooses the lane
        break;
    default:
        if (!is_binary(instruction.opcode))
            return 0;
    }
    if (!matters(&instruction) ||
        std::ranges::count_if(instruction.operands,
                              [&](const ir::Value* operand) { return is_data(operand); }) < of_data)
        return 0;
    return lanes_of(instruction) * words_in(instruction);
}

std::uint32_t DataFlow::comparisons(const ir::Instruction& instruction) const {
    const auto is_comparison = [](const ir::Value* value) {
        return ir::as(value, Opcode::icmp) != nullptr || ir::as(value, Opcode::fcmp) != nullptr;
    };
    bool decides = is_comparison(&instruction) || instruction.opcode == Opcode::choose;
    if (instruction.opcode == Opcode::branch && !instruction.operands.empty())
        decides = !is_comparison(instruction.operands[0]); // by a bool from a table, for instance
    if (instruction.opcode == Opcode::call && instruction.callee != nullptr &&
        !is_of_program(instruction)) {
        const std::string& name = instruction.callee->plain_name;
        decides = compares(name) || looks_up(name);
    }
    return decides && lanes_of_data(instruction) != 0 ? lanes_of(*instruction.operands[0]) : 0;
}

} // namespace labgrind
