#include "labgrind/program/atomic_mistakes.hpp"

#include "labgrind/program/dataflow.hpp"
#include "labgrind/program/instructions.hpp"
#include "labgrind/program/loops.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace labgrind {
namespace {

using ir::Opcode;

bool is_constant(const ir::Value* value) { return value->value_kind == ir::Value::Kind::constant; }

/// What a pointer is a cast of. Pointers that are loaded from the same variable count as one.
const ir::Value* without_casts(const ir::Value* pointer) {
    for (;;) {
        const ir::Instruction* one = ir::as_instruction(pointer);
        if (one == nullptr)
            return pointer;
        if (one->opcode == Opcode::bitcast || one->opcode == Opcode::addrspacecast) {
            pointer = one->operands[0];
            continue;
        }
        const ir::Instruction* variable =
            one->opcode == Opcode::load ? ir::as(one->operands[0], Opcode::allocate) : nullptr;
        if (variable == nullptr)
            return pointer;
        const auto stores = stores_to(*variable);
        if (stores.size() != 1)
            return variable;
        pointer = stores.front()->operands[0]; // the variable is another name for it
    }
}

/// Whether `one` is in the loop with this head.
bool is_in_loop(const ir::Instruction* one, const ir::Block* head, Loops& loops) {
    const auto heads = loops.heads_around(one);
    return std::ranges::find(heads, head) != heads.end();
}

/// Whether the loop with this head computes `value`, which is used in it, anew in each iteration.
bool is_computed_in_loop(const ir::Value* value, const ir::Block* head, Loops& loops) {
    const auto is_inside = [&](const ir::Instruction* one) { return is_in_loop(one, head, loops); };
    Worklist values(value);
    while (const ir::Value* next = values.next()) {
        const ir::Instruction* one = ir::as_instruction(next);
        if (one == nullptr || !is_inside(one))
            continue;
        const ir::Instruction* variable =
            one->opcode == Opcode::load ? variable_of(one->operands[0]) : nullptr;
        if (variable != nullptr) {
            const auto stores = stores_to(*variable);
            if (std::ranges::any_of(stores, is_inside))
                return true;
        } else if (one->opcode == Opcode::load || one->opcode == Opcode::phi ||
                   one->atomic() != ir::Atomic::none || calls_own_function(*one)) {
            return true;
        } else {
            for (const ir::Value* operand : one->operands)
                values.add(operand);
        }
    }
    return false;
}

/// Whether `value` comes from a read of the word at `pointer`.
bool comes_from_read_of(const ir::Value* pointer, const ir::Value* value) {
    return std::ranges::any_of(shared_loads_behind(value).loads, [&](const ir::Instruction* load) {
        return without_casts(load->operands[0]) == without_casts(pointer);
    });
}

bool is_to_integer(const ir::Instruction& one) {
    return one.opcode == Opcode::fptoui || one.opcode == Opcode::fptosi;
}

bool is_to_number(const ir::Instruction& one) {
    return one.opcode == Opcode::uitofp || one.opcode == Opcode::sitofp;
}

/// Whether `value` comes from the word of `swap`, with no integer among its sources that was converted to
/// a floating-point number.
bool comes_from_bits(const ir::Value* value, const ir::Instruction& swap) {
    bool is_read = false;
    bool is_converted = false;
    visit_sources(value, [&](const ir::Value& source) {
        const ir::Instruction* one = ir::as_instruction(&source);
        if (one == nullptr)
            return false;
        is_converted = is_converted || is_to_number(*one);
        const bool reads = one->opcode == Opcode::load || one->atomic() != ir::Atomic::none;
        is_read = is_read ||
                  (reads && without_casts(one->operands[0]) == without_casts(swap.operands[0]));
        return one->opcode != Opcode::call;
    });
    return is_read && !is_converted;
}

/// The conversion between integer and floating-point number that a value of `swap` went through, where
/// its bits should have been kept; null: none. Two conversions, there and back, are fine.
const ir::Instruction* conversion_of_bits(const ir::Instruction& swap) {
    const ir::Instruction* found = nullptr;
    for (const std::size_t index : {1, 2}) {
        visit_sources(swap.operands[index], [&](const ir::Value& source) {
            const ir::Instruction* one = ir::as_instruction(&source);
            if (one == nullptr)
                return false;
            if ((is_to_integer(*one) || is_to_number(*one)) &&
                comes_from_bits(one->operands[0], swap))
                found = one;
            return !is_to_integer(*one) && one->opcode != Opcode::call;
        });
    }
    return found;
}

std::string explain_conversion(const ir::Instruction& conversion) {
    const bool is_double = std::max(conversion.type->size, conversion.operands[0]->type->size) > 4;
    const std::string line = "line " + std::to_string(conversion.line);
    if (is_to_integer(conversion))
        return line +
               " converts a floating-point number to an integer, but a compare-and-swap needs its "
               "bits, unchanged: use " +
               (is_double ? "as_ulong()" : "as_uint()");
    return line +
           " converts an integer to a floating-point number, but the integer holds the bits of a "
           "floating-point number: use " +
           (is_double ? "as_double()" : "as_float()");
}

/// The condition that ends the loop around `swap` by comparing which of two values of its word is larger,
/// or null.
const ir::Instruction* ends_by_order(const ir::Instruction& swap, Loops& loops) {
    const auto condition = loops.condition_around(&swap);
    if (!condition || condition->branch == nullptr)
        return nullptr;
    const ir::Instruction* comparison = ir::as_instruction(condition->branch->operands[0]);
    const auto is_of_word = [&](const ir::Value* value) {
        bool found = false;
        visit_sources(value, [&](const ir::Value& source) {
            found = found || &source == &swap;
            return &source != &swap;
        });
        return found;
    };
    const bool compares = comparison != nullptr && (comparison->opcode == Opcode::icmp ||
                                                    comparison->opcode == Opcode::fcmp);
    return compares && ir::asks_for_order(comparison->predicate) &&
                   std::ranges::all_of(comparison->operands, is_of_word)
               ? comparison
               : nullptr;
}

/// Whether what `store` stores comes from what its variable holds before. Nothing is behind a call.
bool updates_its_variable(const ir::Instruction& store) {
    bool updates = false;
    visit_sources(store.operands[0], [&](const ir::Value& source) {
        const ir::Instruction* one = ir::as_instruction(&source);
        updates = updates || (one != nullptr && one->opcode == Opcode::load &&
                              one->operands[0] == store.operands[1]);
        return one != nullptr && one->opcode != Opcode::call;
    });
    return updates;
}

/// The store that adds to what earlier attempts in the loop with this head have left in a variable, which
/// the new value comes from; null: none.
const ir::Instruction* accumulation(const ir::Instruction& swap, const ir::Block* head,
                                    Loops& loops) {
    const auto is_inside = [&](const ir::Instruction* one) { return is_in_loop(one, head, loops); };
    const ir::Instruction* found = nullptr;
    visit_sources(swap.operands[2], [&](const ir::Value& source) {
        const ir::Instruction* one = ir::as_instruction(&source);
        if (one == nullptr || one->opcode == Opcode::call)
            return false;
        const ir::Instruction* variable =
            one->opcode == Opcode::load ? variable_of(one->operands[0]) : nullptr;
        if (variable == nullptr)
            return true;
        auto stores = stores_to(*variable);
        std::erase_if(stores, std::not_fn(is_inside));
        if (!stores.empty() && std::ranges::all_of(stores, [](const ir::Instruction* store) {
                return updates_its_variable(*store);
            }))
            found = stores.front();
        return true;
    });
    return found;
}

/// The comparison that repeats the loop around `swap` if it has stored its value, and ends it if not; null:
/// there is none.
const ir::Instruction* repeats_after_success(const ir::Instruction& swap, const ir::Block* head,
                                             Loops& loops) {
    const auto condition = loops.condition_around(&swap);
    const ir::Instruction* comparison = !condition || condition->branch == nullptr
                                            ? nullptr
                                            : ir::as(condition->branch->operands[0], Opcode::icmp);
    if (comparison == nullptr || condition->branch->successors.size() != 2 ||
        (comparison->predicate != ir::Predicate::eq && comparison->predicate != ir::Predicate::ne))
        return nullptr;
    const auto is_result = [&](const ir::Value* value) {
        const ir::Instruction* variable = loaded_variable(value);
        const auto stores =
            variable == nullptr ? std::vector<const ir::Instruction*>() : stores_to(*variable);
        return value == &swap || std::ranges::any_of(stores, [&](const ir::Instruction* store) {
                   return store->operands[0] == &swap;
               });
    };
    const ir::Instruction* expected = loaded_variable(swap.operands[1]);
    const auto is_expected = [&](const ir::Value* value) {
        if (swap.atomic() == ir::Atomic::exchange) // of a lock
            return is_zero(*value);
        return expected == nullptr ? is_constant(value) && value->fixed == swap.operands[1]->fixed
                                   : loaded_variable(value) == expected;
    };
    const auto compares = [&](std::size_t result) {
        return is_result(comparison->operands[result]) &&
               is_expected(comparison->operands[1 - result]);
    };
    const bool is_equal = comparison->predicate == ir::Predicate::eq;
    const ir::Block* on_success = condition->branch->successors[is_equal ? 0 : 1];
    const bool repeats = is_in_loop(on_success->instructions.front(), head, loops);
    return repeats && (compares(0) || compares(1)) ? comparison : nullptr;
}

/// What is wrong if the loop around an operation that takes a lock ends when that has failed.
AtomicMistake explain_inverted_lock(const ir::Instruction& taking, Loops& loops) {
    const auto heads = loops.heads_around(&taking);
    const ir::Instruction* comparison =
        heads.empty() ? nullptr : repeats_after_success(taking, heads.front(), loops);
    return comparison == nullptr
               ? AtomicMistake{}
               : AtomicMistake{.text = "line " + std::to_string(comparison->line) +
                                       " continues the loop after it has got the lock, and leaves "
                                       "it while another work-item has it: it must be the other "
                                       "way around",
                               .line = comparison->line,
                               .never_ends = true};
}

AtomicMistake explain_compare_exchange(const ir::Instruction& swap, Loops& loops) {
    const std::string line = "line " + std::to_string(swap.line);
    if (is_constant(swap.operands[2])) {
        if (is_zero(*swap.operands[1]) && !is_zero(*swap.operands[2]))
            if (AtomicMistake inverted = explain_inverted_lock(swap, loops); !inverted.text.empty())
                return inverted;
        const bool takes_anyway =
            !is_zero(*swap.operands[2]) && comes_from_read_of(swap.operands[0], swap.operands[1]);
        return takes_anyway
                   ? AtomicMistake{line + " compares the lock with what it has just read there, so "
                                          "it also takes a lock that another work-item holds: "
                                          "compare it with 0",
                                   swap.line}
                   : AtomicMistake{};
    }
    const auto heads = loops.heads_around(&swap);
    if (heads.empty())
        return {};
    if (const ir::Instruction* comparison = ends_by_order(swap, loops))
        return {"line " + std::to_string(comparison->line) +
                    " can end the loop although the compare-and-swap has failed: it has stored its "
                    "value only if what it returns is equal to the expected value",
                comparison->line};
    if (const ir::Instruction* comparison = repeats_after_success(swap, heads.front(), loops))
        return {.text = "line " + std::to_string(comparison->line) +
                        " repeats the loop if the compare-and-swap has stored its value, and ends "
                        "it if not: it must be the other way around",
                .line = comparison->line,
                .never_ends = true};
    if (!is_used(swap) && !is_constant(swap.operands[1]))
        return {"the result of the compare-and-swap at " + line +
                    " is not used, so the loop does not know whether this attempt has stored its "
                    "value",
                swap.line};
    if (const ir::Instruction* store = accumulation(swap, heads.front(), loops))
        return {"line " + std::to_string(store->line) +
                    " adds again in each attempt, even after a failed one: compute the new value "
                    "from the expected value and from variables that the loop does not change",
                store->line};
    if (!is_computed_in_loop(swap.operands[1], heads.front(), loops) ||
        is_computed_in_loop(swap.operands[2], heads.front(), loops) ||
        !comes_from_read_of(swap.operands[0], swap.operands[2])) // a list's head gets a fixed value
        return {};
    return {line + " stores a value that is computed before the loop: each attempt must compute it "
                   "again from the value that the compare-and-swap returned",
            swap.line};
}

AtomicMistake explain_exchange(const ir::Instruction& exchange, Loops& loops) {
    if (is_constant(exchange.operands[1]) && !is_zero(*exchange.operands[1]))
        return explain_inverted_lock(exchange, loops);
    const bool is_only_stored = std::ranges::all_of(
        exchange.users, [](const ir::Instruction* user) { return user->opcode == Opcode::store; });
    if (!is_only_stored || !comes_from_read_of(exchange.operands[0], exchange.operands[1]))
        return {};
    return {"line " + std::to_string(exchange.line) +
                " stores a value that is computed from an earlier read, and overwrites what other "
                "work-items have stored since: repeat an atomic_cmpxchg until it succeeds",
            exchange.line};
}

/// Whether a 32-bit atomic operation stores a half of a double.
bool stores_half(const ir::Instruction& atomic) {
    if (atomic.atomic() == ir::Atomic::none || atomic.type->size != sizeof(std::uint32_t))
        return false;
    bool is_half = false;
    visit_sources(atomic.operands.back(), [&](const ir::Value& source) {
        is_half = is_half || (source.type != nullptr && source.type->bits == 64 &&
                              source.type->is(ir::Type::Kind::floating));
        const ir::Instruction* one = ir::as_instruction(&source);
        return one != nullptr && one->opcode != Opcode::call && !is_to_integer(*one);
    });
    return is_half;
}

/// Two operations of a function that store the halves of a double.
AtomicMistake explain_halves(const ir::Function& function) {
    std::vector<const ir::Instruction*> halves;
    std::ranges::copy_if(function.instructions(), std::back_inserter(halves),
                         [](const ir::Instruction* one) { return stores_half(*one); });
    if (halves.size() < 2)
        return {};
    const int first = halves.front()->line;
    const int last = halves.back()->line;
    const std::string lines = first == last ? "line " + std::to_string(first) + " changes"
                                            : "lines " + std::to_string(first) + " and " +
                                                  std::to_string(last) + " change";
    return {.text = lines + " the two halves of a double one after the other, and another "
                            "work-item can come in between: use one 64-bit operation, atom_cmpxchg",
            .line = first,
            .is_data = true,
            .races = true};
}

AtomicMistake explain_atomic(const ir::Instruction& one, Loops& loops) {
    if (one.atomic() == ir::Atomic::exchange)
        return explain_exchange(one, loops);
    if (one.atomic() != ir::Atomic::compare_exchange)
        return {};
    if (const ir::Instruction* conversion = conversion_of_bits(one))
        return {.text = explain_conversion(*conversion), .line = conversion->line, .is_data = true};
    return explain_compare_exchange(one, loops);
}

} // namespace

AtomicMistake explain_atomics(const ir::Module& module) {
    for (const ir::Function* function : module.functions()) {
        AtomicMistake halves = explain_halves(*function);
        if (!halves.text.empty())
            return halves;
    }
    Loops loops;
    for (const ir::Instruction* one : module.instructions()) {
        AtomicMistake mistake = explain_atomic(*one, loops);
        if (!mistake.text.empty())
            return mistake;
    }
    return {};
}

} // namespace labgrind
