#include "labgrind/program/instructions.hpp"

#include "labgrind/vm/vm.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace labgrind {
namespace {

using ir::Opcode;
using Kind = ir::Type::Kind;

/// The type inside `type` at `index`; null: `type` is neither a structure nor an array.
const ir::Type* inner_type(const ir::Type& type, const ir::Value& index) {
    if (type.is(Kind::structure))
        return type.fields[vm::number_at(index.fixed.data(), index.fixed.size())];
    return type.is(Kind::array) ? type.element : nullptr;
}

/// The indices that an address is computed from, if they index an array.
std::vector<Instruction::Index> indices_of(const ir::Value* pointer) {
    std::vector<Instruction::Index> indices;
    while (const auto* step = ir::as(pointer, Opcode::step)) {
        const ir::Type* type = step->value_type;
        // The first index belongs to the pointer, whose length is unknown.
        for (std::size_t i = 2; i < step->operands.size(); ++i) {
            const ir::Value* index = step->operands[i];
            const ir::Type* inner = inner_type(*type, *index);
            if (inner == nullptr)
                break;
            if (type->is(Kind::array) && type->count > 1)
                indices.push_back({index, static_cast<std::int64_t>(type->count)});
            type = inner;
        }
        pointer = step->operands[0];
    }
    return indices;
}

/// vstore2 to vstore16, but not vstore_half, which stores another value than its argument.
bool is_vector_store(const std::string& name) {
    return name.starts_with("vstore") && name.find('_') == std::string::npos;
}

/// Whether an atomic operation has the same effect if it is repeated or late.
bool may_come_late(ir::Atomic operation) {
    constexpr std::array operations{ir::Atomic::min, ir::Atomic::max, ir::Atomic::bit_and,
                                    ir::Atomic::bit_or, ir::Atomic::compare_exchange};
    return std::ranges::find(operations, operation) != operations.end();
}

bool stores_to_variable(const ir::Instruction& store) {
    return ir::as(store.operands[1], Opcode::allocate) != nullptr;
}

/// Whether a decision depends on the result of `call`, not only an address.
bool is_compared(const ir::Instruction* call) {
    const auto users = users_of(call);
    return std::ranges::any_of(users, [](const ir::Instruction* user) {
        switch (user->opcode) {
        case Opcode::icmp:
        case Opcode::fcmp:
        case Opcode::ret:
        case Opcode::choose:
        case Opcode::call:
            return true;
        case Opcode::store:
            return !stores_to_variable(*user);
        default:
            return false;
        }
    });
}

/// Calls `visit` with each load and store of the variable at `address`, or of a part of it.
template <class Visit> void for_each_access(const ir::Value& address, const Visit& visit) {
    for (const ir::Instruction* user : address.users) {
        const bool is_stored = user->opcode == Opcode::store && user->operands[1] == &address;
        if (user->opcode == Opcode::load || is_stored)
            visit(*user);
        else if (user->opcode == Opcode::step || user->opcode == Opcode::bitcast)
            for_each_access(*user, visit);
    }
}

/// Whether it calls a work-item function, such as get_global_id().
bool asks_for_position(const ir::Instruction& one) {
    return one.opcode == Opcode::call && one.callee != nullptr &&
           one.callee->plain_name.starts_with("get_");
}

/// Whether the result of `call` is compared with the variable that its argument `index` comes from.
bool is_compared_with(const ir::Instruction* call, std::size_t index) {
    const ir::Instruction* variable = loaded_variable(call->operands[index]);
    const auto users = users_of(call);
    return variable != nullptr && std::ranges::any_of(users, [&](const ir::Instruction* user) {
               return user->opcode == Opcode::icmp &&
                      (loaded_variable(user->operands[0]) == variable ||
                       loaded_variable(user->operands[1]) == variable);
           });
}

Instruction::Atomic examine_atomic(const ir::Instruction* call) {
    Instruction::Atomic atomic;
    atomic.compares = call->atomic() == ir::Atomic::compare_exchange;
    atomic.exchanges = call->atomic() == ir::Atomic::exchange;
    atomic.uses_result = is_used(*call);
    atomic.verifies_loads = may_come_late(call->atomic()) || is_compared(call);
    if (atomic.compares) {
        atomic.compared_with_new = is_compared_with(call, 2) && !is_compared_with(call, 1);
        SharedLoads expected = shared_loads_behind(call->operands[1]);
        if (expected.are_all)
            atomic.expected = std::move(expected.loads);
    }
    return atomic;
}

void examine_call(Instruction& known, const ir::Instruction* call) {
    if (call->callee == nullptr)
        return;
    if (!call->callee->is_declaration()) {
        known.action = Action::call;
        return;
    }
    const std::string& name = call->callee->plain_name;
    if (is_barrier(*call)) {
        known.action = Action::barrier;
        known.awaits_copies = name == "wait_group_events";
    } else if (name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence") {
        known.action = Action::fence;
        known.acquires = name != "write_mem_fence";
        known.releases = name != "read_mem_fence";
    } else if (call->callee->is_atomic()) {
        known.action = Action::atomic;
        known.atomic = examine_atomic(call);
    } else if (name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove")) {
        known.action = Action::copy;
    } else if (is_vector_store(name)) {
        known.action = Action::vector_store;
    }
}

/// Whether it is an atomic operation that can set a lock to 0.
bool can_set_to_zero(const ir::Instruction* instruction) {
    switch (instruction->atomic()) {
    case ir::Atomic::exchange:
    case ir::Atomic::compare_exchange:
    case ir::Atomic::bit_and:
        return is_zero(*instruction->operands.back());
    case ir::Atomic::sub:
        return true;
    default:
        return false;
    }
}

} // namespace

Instructions::Instructions(const ir::Module& module)
    : data_flow_(module), known_(module.instruction_count()) {}

bool is_used(const ir::Instruction& call) {
    return std::ranges::any_of(call.users, [&](const ir::Instruction* user) {
        if (user->opcode != Opcode::store || user->operands[0] != &call ||
            !stores_to_variable(*user))
            return true;
        const auto& others = user->operands[1]->users;
        return std::ranges::any_of(
            others, [](const ir::Instruction* other) { return other->opcode == Opcode::load; });
    });
}

bool is_barrier(const ir::Instruction& call) {
    const std::string& name = call.callee->plain_name;
    return name == "barrier" || name == "work_group_barrier" || name == "wait_group_events";
}

namespace {

/// Whether a call waits at a barrier, itself or in a function that it calls.
bool has_barrier(const ir::Instruction& call) {
    if (call.opcode != Opcode::call || call.callee == nullptr)
        return false;
    if (call.callee->is_declaration())
        return is_barrier(call);
    return std::ranges::any_of(call.callee->blocks, [](const ir::Block* block) {
        return std::ranges::any_of(block->instructions,
                                   [](const auto* one) { return has_barrier(*one); });
    });
}

/// Whether an instruction can release a lock, itself or in a function that it calls.
bool can_release(const ir::Instruction& one) {
    return can_set_to_zero(&one) ||
           (calls_own_function(one) &&
            std::ranges::any_of(one.callee->instructions(),
                                [](const auto* inner) { return can_release(*inner); }));
}

} // namespace

bool avoids_release(const ir::Instruction& branch, bool taken) {
    const auto reaches_release = [](const ir::Block& block) {
        const ir::Instruction* first = block.instructions.front();
        return std::ranges::any_of(block.function->instructions(), [&](const auto* one) {
            return can_release(*one) && (one == first || reaches(first, one, {.barriers = true}));
        });
    };
    const auto& sides = branch.successors;
    return branch.opcode == Opcode::branch && sides.size() == 2 &&
           reaches_release(*sides[taken ? 1 : 0]) && !reaches_release(*sides[taken ? 0 : 1]);
}

bool reaches(const ir::Instruction* from, const ir::Instruction* to, const Path& path) {
    std::vector<bool> entered(from->block->function->blocks.size());
    if (path.avoided != nullptr)
        entered[path.avoided->number] = true;
    std::vector<const ir::Block*> open;
    const auto scan = [&](const ir::Block* block, auto begin) {
        for (auto one = begin; one != block->instructions.end(); ++one) {
            if (*one == to || (to == nullptr && (*one)->opcode == Opcode::ret))
                return true;
            if (!path.barriers && has_barrier(**one))
                return false;
        }
        for (const ir::Block* next : block->successors()) {
            if ((path.repeats || next->number > block->number) && !entered[next->number]) {
                entered[next->number] = true;
                open.push_back(next);
            }
        }
        return false;
    };
    const auto& own = from->block->instructions;
    if (scan(from->block, std::find(own.begin(), own.end(), from) + 1))
        return true;
    while (!open.empty()) {
        const ir::Block* block = open.back();
        open.pop_back();
        if (scan(block, block->instructions.begin()))
            return true;
    }
    return false;
}

const ir::Value* base_of(const ir::Value* pointer) {
    while (const auto* step = ir::as(pointer, Opcode::step))
        pointer = step->operands[0];
    return ir::as(pointer, Opcode::allocate) != nullptr || ir::as_global(pointer) != nullptr
               ? pointer
               : nullptr;
}

bool is_passed_on(const ir::Instruction& variable) {
    return std::ranges::any_of(variable.users, [](const ir::Instruction* user) {
        const bool is_part = user->opcode == Opcode::step || user->opcode == Opcode::bitcast;
        return user->opcode == Opcode::call || (is_part && is_passed_on(*user));
    });
}

std::vector<const ir::Instruction*> stores_to(const ir::Instruction& variable) {
    std::vector<const ir::Instruction*> stores;
    for_each_access(variable, [&](const ir::Instruction& access) {
        if (access.opcode == Opcode::store)
            stores.push_back(&access);
    });
    return stores;
}

SharedLoads shared_loads_behind(const ir::Value* value) {
    SharedLoads found;
    visit_sources(value, [&](const ir::Value& source) {
        const ir::Instruction* one = ir::as_instruction(&source);
        if (one == nullptr)
            found.are_all = found.are_all && source.value_kind == ir::Value::Kind::constant;
        else if (one->opcode != Opcode::load)
            found.are_all = found.are_all && !calls_own_function(*one);
        else if (variable_of(one->operands[0]) == nullptr)
            found.loads.push_back(one);
        return one != nullptr && one->atomic() == ir::Atomic::none;
    });
    return found;
}

namespace {

/// Adds what decides whether `variable` is set, as far as the branch right before a store shows.
void add_conditions_of_stores(const ir::Instruction& variable, Worklist& values) {
    for (const ir::Instruction* store : stores_to(variable)) {
        for (const ir::Block* before : store->block->function->blocks) {
            const auto& next = before->successors();
            if (next.size() > 1 && std::ranges::find(next, store->block) != next.end())
                values.add(before->last().operands[0]);
        }
    }
}

} // namespace

std::set<int> lines_of_shared_loads_behind(const ir::Value* value) {
    std::set<int> lines;
    Worklist values(value);
    while (const ir::Value* next = values.next()) {
        for (const ir::Instruction* load : shared_loads_behind(next).loads)
            lines.insert(load->line);
        visit_sources(next, [&](const ir::Value& source) {
            const ir::Instruction* load = ir::as(&source, Opcode::load);
            if (const auto* variable = load == nullptr ? nullptr : variable_of(load->operands[0]))
                add_conditions_of_stores(*variable, values);
            const ir::Instruction* call = ir::as_instruction(&source);
            if (call == nullptr || !calls_own_function(*call) || call->callee == nullptr)
                return call != nullptr;
            for (const ir::Instruction* one : call->callee->instructions()) {
                if (one->opcode == Opcode::ret && !one->operands.empty())
                    values.add(one->operands[0]);
            }
            return true;
        });
    }
    return lines;
}

std::vector<const ir::Instruction*> variables_behind(const ir::Value* value) {
    std::vector<const ir::Instruction*> reads;
    Worklist values(value);
    while (const ir::Value* next = values.next()) {
        const ir::Instruction* one = ir::as_instruction(next);
        if (one == nullptr || asks_for_position(*one))
            continue;
        const bool is_load = one->opcode == Opcode::load;
        if (one->opcode == Opcode::call || one->opcode == Opcode::phi ||
            (is_load && ir::as(one->operands[0], Opcode::allocate) == nullptr))
            return {};
        if (is_load)
            reads.push_back(one);
        for (const ir::Value* operand : one->operands) {
            if (!is_load)
                values.add(operand);
        }
    }
    return reads;
}

bool calls_own_function(const ir::Instruction& one) {
    return one.opcode == Opcode::call && (one.callee == nullptr || !one.callee->is_declaration());
}

bool is_zero(const ir::Value& value) {
    return !value.fixed.empty() &&
           std::ranges::all_of(value.fixed, [](std::byte byte) { return byte == std::byte{0}; });
}

std::vector<const ir::Instruction*> inputs_of_indices(const ir::Value* pointer) {
    std::vector<const ir::Instruction*> inputs;
    const auto add_inputs = [&](const ir::Value* value) {
        Worklist values(value);
        while (const ir::Value* next = values.next()) {
            const ir::Instruction* one = ir::as_instruction(next);
            if (one == nullptr)
                continue;
            if (asks_for_position(*one) || loaded_variable(one) != nullptr)
                inputs.push_back(one);
            else if (one->opcode != Opcode::load && one->opcode != Opcode::call)
                for (const ir::Value* operand : one->operands)
                    values.add(operand);
        }
    };
    while (const auto* step = ir::as(pointer, Opcode::step)) {
        for (std::size_t i = 1; i < step->operands.size(); ++i)
            add_inputs(step->operands[i]);
        pointer = step->operands[0];
    }
    const ir::Instruction* variable = inputs.size() == 1 ? loaded_variable(inputs[0]) : nullptr;
    if (variable == nullptr)
        return inputs;
    const std::vector<const ir::Instruction*> stores = stores_to(*variable);
    if (stores.size() == 1)
        add_inputs(stores[0]->operands[0]);
    return inputs;
}

const ir::Instruction* loaded_variable(const ir::Value* value) {
    const ir::Instruction* load = ir::as(value, Opcode::load);
    return load == nullptr ? nullptr : variable_of(load->operands[0]);
}

std::vector<const ir::Instruction*> private_variables_behind(const ir::Value* value) {
    std::vector<const ir::Instruction*> variables;
    visit_sources(value, [&](const ir::Value& source) {
        const ir::Instruction* variable = loaded_variable(&source);
        if (variable != nullptr && std::ranges::find(variables, variable) == variables.end())
            variables.push_back(variable);
        return true;
    });
    return variables;
}

const ir::Instruction* flag_of(const ir::Instruction* branch) {
    const ir::Value* condition = branch->operands.empty() ? nullptr : branch->operands[0];
    while (const auto* step = ir::as_instruction(condition)) {
        const bool is_test = step->opcode == Opcode::trunc || step->opcode == Opcode::zext ||
                             step->opcode == Opcode::bit_xor ||
                             (step->opcode == Opcode::icmp && step->predicate == ir::Predicate::ne);
        if (!is_test)
            break;
        if (step->operands.size() > 1 && step->operands[1]->value_kind != ir::Value::Kind::constant)
            return nullptr;
        condition = step->operands[0];
    }
    return loaded_variable(condition);
}

const ir::Value* pointer_operand(const ir::Instruction* instruction, bool write) {
    if (instruction->opcode == Opcode::load)
        return instruction->operands[0];
    if (instruction->opcode == Opcode::store)
        return instruction->operands[1];
    if (instruction->opcode != Opcode::call)
        return nullptr;
    const ir::Value* found = nullptr;
    for (const ir::Value* argument : instruction->operands) {
        if (argument->type->is(Kind::pointer) && (found == nullptr || !write))
            found = argument; // memcpy's target comes first
    }
    return found;
}

const Instruction& Instructions::add(const ir::Instruction* instruction) {
    const auto site = static_cast<std::uint32_t>(sites_.size());
    Site& met = sites_.emplace_back(Site{examine(instruction), instruction});
    met.instruction.site = site;
    known_[instruction->number] = &met.instruction;
    return met.instruction;
}

Instruction Instructions::examine(const ir::Instruction* instruction) const {
    Instruction known;
    known.additions = data_flow_.additions(*instruction);
    known.comparisons = data_flow_.comparisons(*instruction);
    switch (instruction->opcode) {
    case Opcode::allocate:
        known.action = Action::allocate;
        break;
    case Opcode::load:
        known.action = Action::load;
        known.indices = indices_of(pointer_operand(instruction, false));
        break;
    case Opcode::store:
        known.action = Action::store;
        known.indices = indices_of(pointer_operand(instruction, true));
        known.stores_constant = instruction->operands[0]->value_kind == ir::Value::Kind::constant;
        break;
    case Opcode::branch:
        known.action = instruction->operands.empty() ? Action::jump : Action::branch;
        break;
    case Opcode::choose:
        known.action = Action::branch;
        break;
    case Opcode::ret:
        known.action = Action::ret;
        break;
    case Opcode::call:
        examine_call(known, instruction);
        known.takes_data = data_flow_.takes_data(*instruction);
        break;
    default:
        break;
    }
    return known;
}

std::vector<const ir::Instruction*> users_of(const ir::Value* value) {
    std::vector<const ir::Instruction*> users;
    Worklist values(value);
    while (const ir::Value* one = values.next()) {
        for (const ir::Instruction* user : one->users) {
            const bool is_store = user->opcode == Opcode::store;
            if (user->opcode == Opcode::step || (is_store && user->operands[0] != one))
                continue; // used only for an address
            users.push_back(user);
            if (user->atomic() != ir::Atomic::none)
                continue; // its result is what memory held before
            if (!is_store) {
                values.add(user);
            } else if (const ir::Instruction* variable = variable_of(user->operands[1])) {
                for_each_access(*variable, [&](const ir::Instruction& access) {
                    if (access.opcode == Opcode::load)
                        values.add(&access);
                });
            }
        }
    }
    return users;
}

} // namespace labgrind
