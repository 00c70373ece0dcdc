#include "labgrind/changes.hpp"

#include "labgrind/program/instructions.hpp"
#include "labgrind/program/source_text.hpp"
#include "labgrind/reports/names.hpp"
#include "labgrind/vm/vm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace labgrind {
namespace {

using ir::Opcode;
using ir::Predicate;

/// A symbol of the source, and what it means for unsigned, signed and floating-point numbers.
template <class Meaning> struct Symbol {
    const char* text;
    std::array<Meaning, 3> meanings;
};

constexpr Opcode no_operation = Opcode::unreachable;
constexpr std::array<Symbol<Opcode>, 10> operators{{
    {"+", {Opcode::add, Opcode::add, Opcode::fadd}},
    {"-", {Opcode::sub, Opcode::sub, Opcode::fsub}},
    {"*", {Opcode::mul, Opcode::mul, Opcode::fmul}},
    {"/", {Opcode::udiv, Opcode::sdiv, Opcode::fdiv}},
    {"%", {Opcode::urem, Opcode::srem, no_operation}},
    {"<<", {Opcode::shl, Opcode::shl, no_operation}},
    {">>", {Opcode::lshr, Opcode::ashr, no_operation}},
    {"&", {Opcode::bit_and, Opcode::bit_and, no_operation}},
    {"|", {Opcode::bit_or, Opcode::bit_or, no_operation}},
    {"^", {Opcode::bit_xor, Opcode::bit_xor, no_operation}},
}};

constexpr std::array<Symbol<Predicate>, 6> comparisons{{
    {"<", {Predicate::ult, Predicate::slt, Predicate::olt}},
    {"<=", {Predicate::ule, Predicate::sle, Predicate::ole}},
    {">", {Predicate::ugt, Predicate::sgt, Predicate::ogt}},
    {">=", {Predicate::uge, Predicate::sge, Predicate::oge}},
    {"==", {Predicate::eq, Predicate::eq, Predicate::oeq}},
    {"!=", {Predicate::ne, Predicate::ne, Predicate::une}},
}};

/// The symbol with this meaning, and the number of the meaning; nothing if there is none.
template <class Symbols, class Meaning> std::optional<std::pair<const char*, std::size_t>>
find_symbol(const Symbols& symbols, Meaning meaning) {
    for (const auto& symbol : symbols) {
        const auto* const found = std::ranges::find(symbol.meanings, meaning);
        if (found != symbol.meanings.end())
            return std::pair(symbol.text,
                             static_cast<std::size_t>(found - symbol.meanings.begin()));
    }
    return std::nullopt;
}

/// Whether two operators are taken for each other. Any other exchange that makes results right, such as %
/// for +, is an accident.
bool are_confused(std::string_view a, std::string_view b) {
    using Family = std::vector<std::string_view>;
    static const std::vector<Family> families{
        {"+", "-", "*"}, {"*", "/", "%", "<<", ">>"}, {"&", "|", "^", "%"}};
    return std::ranges::any_of(families, [&](const Family& one) {
        return std::ranges::count(one, a) != 0 && std::ranges::count(one, b) != 0;
    });
}

/// Built-in functions that are taken for each other.
const std::vector<std::vector<std::string>>& relatives() {
    static const std::vector<std::vector<std::string>> all{
        {"get_local_id", "get_global_id", "get_group_id", "get_local_size", "get_global_size",
         "get_num_groups"},
        {"min", "max"},
        {"fmin", "fmax"},
        {"atomic_min", "atomic_max", "atomic_add", "atomic_sub", "atomic_xchg", "atomic_or"},
    };
    return all;
}

bool is_integer(const ir::Type& type) { return type.is(ir::Type::Kind::integer) && type.bits > 1; }
bool is_float(const ir::Type& type) { return type.is(ir::Type::Kind::floating) && type.bits >= 32; }
/// Whether a value is a constant, in each component if it is a vector of floats.
bool is_number(const ir::Value& value) {
    const ir::Constant* constant = ir::as_constant(&value);
    return constant != nullptr && !constant->undefined && value.type != nullptr &&
           (is_integer(*value.type) || is_float(value.type->scalar()));
}

bool has_number_operand(const ir::Instruction* one) {
    return std::ranges::any_of(one->operands,
                               [](const ir::Value* operand) { return is_number(*operand); });
}

/// Whether `one` computes the address of a member of a structure: after an index comes its number.
bool is_member(const ir::Instruction& one) {
    return one.opcode == Opcode::step && one.value_type->is(ir::Type::Kind::structure) &&
           one.operands.size() > 2;
}

/// Whether an operand of `one` is the number of a component of a vector.
bool is_lane(const ir::Instruction& one, std::size_t operand) {
    return (one.opcode == Opcode::extract_element && operand == 1) ||
           (one.opcode == Opcode::insert_element && operand == 2);
}

/// Whether a constant operand of `one` is a number that a student may get wrong.
bool has_numbers(const ir::Instruction& one) {
    if (one.opcode != Opcode::call || one.callee == nullptr || !one.callee->is_declaration())
        return true;
    const std::string& name = one.callee->plain_name; // not a dimension, or a flag
    return !name.starts_with("llvm.") && !name.starts_with("get_") && name != "barrier" &&
           name.find("fence") == std::string::npos;
}

ir::Behavior behavior_of(const ir::Instruction& one) {
    return {one.opcode, one.predicate, one.callee, one.operands, one.successors, one.mask};
}

ir::Behavior with_operand(const ir::Instruction& one, std::size_t index, const ir::Value& other) {
    ir::Behavior behavior = behavior_of(one);
    behavior.operands[index] = &other;
    return behavior;
}

/// The same in the opposite order of operands.
ir::Behavior reversed(const ir::Instruction& one) {
    ir::Behavior behavior = behavior_of(one);
    std::ranges::reverse(behavior.operands);
    return behavior;
}

/// Whether other work-items can have written what a value is computed from, as far as its function shows.
bool comes_from_others(const ir::Value* value) {
    return !shared_loads_behind(value).loads.empty() ||
           std::ranges::any_of(
               private_variables_behind(value),
               [](const ir::Instruction* variable) { return is_passed_on(*variable); });
}

const ir::Behavior nothing{.opcode = Opcode::fence};

} // namespace

/// Finds the changes of a program.
class Changes::Finder {
  public:
    Finder(ir::Module& module, const std::string& source, std::vector<Change>& found)
        : module_(module), found_(found), text_(source) {}

    void find() {
        const std::vector<const ir::Function*> functions = module_.functions(); // more are declared
        like_barrier_ = find_like_barrier();
        for (const ir::Function* function : functions) {
            begin(*function);
            for (const ir::Instruction* one : function->instructions()) {
                if (one->opcode == Opcode::store)
                    stored_so_far_.insert(one->operands[1]);
                if (one->line == 0)
                    continue;
                if (seen_lines_.insert(one->line).second)
                    add_barriers(*one);
                add_changes_of(*one);
            }
        }
    }

  private:
    /// The kinds of changes: those of more common mistakes come first.
    enum class Kind {
        barrier,
        barrier_for_all_memory,
        comparison,
        function,
        component,
        neighbor, ///< a number that differs by 1
        number,
        operation,
        condition,
        part,
        variable,
        shift,
        product,
        multiple,
        assignment,
        omission,
        order,
        sum,
    };

    /// A call with the parameters of barrier(), as of get_local_id(); null: there is none.
    const ir::Instruction* find_like_barrier() const {
        const std::vector<const ir::Instruction*> all = module_.instructions();
        const auto found = std::ranges::find_if(all, [](const ir::Instruction* one) {
            return one->callee != nullptr && one->callee->is_declaration() &&
                   one->callee->parameters == "j";
        });
        return found == all.end() ? nullptr : *found;
    }

    void begin(const ir::Function& function) {
        scratch_ = {};
        seen_lines_.clear();
        stored_so_far_.clear();
        variables_.clear();
        std::ranges::copy_if(
            function.instructions(), std::back_inserter(variables_),
            [](const ir::Instruction* one) { return one->opcode == Opcode::allocate; });
        // A variable that the function itself never stores to can be filled by a call.
        std::ranges::copy_if(variables_, std::inserter(stored_so_far_, stored_so_far_.end()),
                             [](const ir::Instruction* one) { return stores_to(*one).empty(); });
        loop_lines_.clear();
        for (const ir::Block* block : function.blocks) // the condition is in one of these lines
            loop_lines_.insert({block->loop_begin_line, block->loop_end_line});
    }

    /// Whether `one` decides on a loop by what other work-items have written, such as a wait.
    bool decides_on_wait(const ir::Instruction& one) const {
        const bool decides = one.opcode == Opcode::icmp || one.opcode == Opcode::branch;
        return decides && loop_lines_.contains(one.line) &&
               std::ranges::any_of(one.operands, comes_from_others);
    }

    void add_changes_of(const ir::Instruction& one) {
        switch (one.opcode) {
        case Opcode::allocate:
        case Opcode::ret:
        case Opcode::phi:
        case Opcode::choose:
            return;
        case Opcode::branch:
            return add_conditions(one);
        case Opcode::load:
            return add_variables(one);
        case Opcode::shuffle:
            return add_shuffles(one);
        case Opcode::icmp:
        case Opcode::fcmp:
            add_comparisons(one);
            break;
        case Opcode::call:
            add_functions(one);
            break;
        case Opcode::store:
            add_assignments(one);
            break;
        default:
            add_operators(one);
        }
        if (is_member(one))
            return add_members(one);
        for (std::size_t i = 0; i < one.operands.size(); ++i) {
            if (!is_number(*one.operands[i]) || !has_numbers(one))
                continue;
            if (is_lane(one, i))
                add_lanes(one, i);
            else
                add_numbers(one, i);
        }
    }

    Change& add(Kind kind, const ir::Instruction& one, ir::Behavior behavior,
                const std::string& wrong, const std::string& right) {
        std::string key = std::to_string(one.line) + ":" + std::to_string(one.column) + " " +
                          wrong + " > " + right;
        key += " " + std::to_string(++times_[key]);
        return found_.emplace_back(
            Change{.described = {.key = key,
                                 .line = one.line,
                                 .wrong = wrong,
                                 .right = right,
                                 .omits = kind == Kind::part || kind == Kind::omission,
                                 .decides_on_wait = decides_on_wait(one),
                                 .adds = kind == Kind::shift || kind == Kind::product ||
                                         kind == Kind::multiple || kind == Kind::sum,
                                 .is_slight = kind == Kind::comparison || kind == Kind::component},
                   .rank = static_cast<unsigned>(kind),
                   .instruction = &one,
                   .behavior = std::move(behavior)});
    }

    // The changes of each kind

    /// A barrier for local memory, or for all memory, in front of a line, which `first` belongs to. It
    /// is no replacement, so it has no words for what is wrong.
    void add_barriers(const ir::Instruction& first) {
        if (like_barrier_ == nullptr || first.opcode == Opcode::allocate ||
            first.opcode == Opcode::phi)
            return;
        const auto add_one = [&](Kind kind, std::uint64_t flags, const std::string& words) {
            add(kind, first, behavior_of(first), "", words).before = {
                &call_like_barrier("barrier", flags, first)};
        };
        add_one(Kind::barrier, vm::local_flag, "a barrier");
        add_one(Kind::barrier_for_all_memory, vm::local_flag | vm::global_flag,
                "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
    }

    void add_comparisons(const ir::Instruction& one) {
        const auto known = find_symbol(comparisons, one.predicate);
        if (!known)
            return;
        const auto& [symbol, numbers] = *known;
        const bool is_plain = text_.is_at(one, symbol);
        for (const auto& other : comparisons) {
            ir::Behavior behavior = behavior_of(one);
            behavior.predicate = other.meanings.at(numbers);
            if (behavior.predicate == one.predicate)
                continue;
            if (is_plain)
                add(Kind::comparison, one, std::move(behavior), text_.name_comparison(one, symbol),
                    other.text);
            else
                add(Kind::condition, one, std::move(behavior), "the condition", "");
        }
    }

    void add_conditions(const ir::Instruction& branch) {
        if (branch.successors.size() != 2)
            return;
        const std::string wrong = "the condition";
        ir::Behavior opposite = behavior_of(branch);
        std::ranges::reverse(opposite.successors);
        add(Kind::condition, branch, std::move(opposite), wrong, "the opposite");
        const ir::Type& type = *branch.operands[0]->type;
        add(Kind::condition, branch, with_operand(branch, 0, module_.add_constant(type, 0)), wrong,
            "one that is always false");
        add(Kind::condition, branch, with_operand(branch, 0, module_.add_constant(type, 1)), wrong,
            "one that is always true");
        add_connectives(branch);
    }

    /// || instead of &&, and the other way round, where they decide on a branch: `branch` is that of
    /// their left side.
    void add_connectives(const ir::Instruction& branch) {
        const ir::Block* if_true = branch.successors[0];
        const ir::Block* if_false = branch.successors[1];
        ir::Behavior behavior = behavior_of(branch);
        const auto& after_true = if_true->successors();
        const auto& after_false = if_false->successors();
        if (after_true.size() == 2 && after_true[1] == if_false) {
            behavior.successors = {after_true[0], if_true};
            add(Kind::condition, branch, std::move(behavior), "the operator &&", "||");
        } else if (after_false.size() == 2 && after_false[0] == if_true) {
            behavior.successors = {if_false, after_false[1]};
            add(Kind::condition, branch, std::move(behavior), "the operator ||", "&&");
        }
    }

    void add_functions(const ir::Instruction& call) {
        if (call.callee == nullptr)
            return;
        const std::string& name = call.callee->plain_name;
        for (const std::vector<std::string>& group : relatives()) {
            if (!call.callee->is_declaration() || std::ranges::count(group, name) == 0)
                continue;
            for (const std::string& other : group) {
                if (other == name)
                    continue;
                ir::Behavior behavior = behavior_of(call);
                behavior.callee = &module_.declare(other, *call.callee);
                add(Kind::function, call, std::move(behavior), name, other);
            }
            if (name.ends_with("min") || name.ends_with("max"))
                add_arguments(call, name);
            // Beside a number, changing that is the same.
            if (name.starts_with("get_") && std::ranges::none_of(call.users, has_number_operand))
                add_shifts(call, name, name);
            if (name.starts_with("get_")) {
                add_variables_for(call, name);
                add_products(call, name, name);
            }
            if (name == "get_group_id" && like_barrier_ != nullptr) {
                const ir::Instruction& size = call_like_barrier("get_local_size", 0, call);
                Change& change = add(Kind::function, call, behavior_of(call), name,
                                     "get_group_id(0) * get_local_size(0)");
                change.before = {&size};
                change.after = &overwrite(call, Opcode::mul, size);
            }
        }
        const bool is_for_others = name == "barrier" || call.atomic() != ir::Atomic::none;
        if (call.users.empty() && !is_for_others)
            add(Kind::omission, call, nothing, "the call to " + name, "nothing");
        for (std::size_t i = 0; i + 1 < call.operands.size(); ++i) {
            if (call.operands[i]->type != call.operands[i + 1]->type)
                continue;
            ir::Behavior swapped = behavior_of(call);
            std::swap(swapped.operands[i], swapped.operands[i + 1]);
            // clang makes a call of a * b + c.
            add(Kind::order, call, std::move(swapped),
                name.starts_with("llvm.") ? "the order of the operands"
                                          : "the argument order of " + name,
                "the other order");
        }
    }

    /// Only an argument instead of the smaller or larger one.
    void add_arguments(const ir::Instruction& call, const std::string& name) {
        if (call.atomic() != ir::Atomic::none)
            return;
        for (const ir::Value* operand : call.operands) {
            if (operand->type == call.type)
                add(Kind::part, call, {.opcode = Opcode::freeze, .operands = {operand}}, name,
                    operand == call.operands.front() ? "only its first argument"
                                                     : "only its second argument");
        }
    }

    void add_operators(const ir::Instruction& one) {
        const auto known = find_symbol(operators, one.opcode);
        if (!known || one.opcode == no_operation)
            return;
        const auto& [symbol, numbers] = *known;
        const bool is_plain = text_.is_at(one, symbol);
        const std::string wrong =
            is_plain ? std::string("the operator ") + symbol : "an expression";
        const auto add_one = [&](Kind kind, ir::Behavior behavior, const char* right) {
            add(kind, one, std::move(behavior), wrong, is_plain ? right : "");
        };
        for (const auto& other : operators) {
            ir::Behavior behavior = behavior_of(one);
            behavior.opcode = other.meanings.at(numbers);
            if (behavior.opcode != one.opcode && behavior.opcode != no_operation &&
                are_confused(symbol, other.text))
                add_one(Kind::operation, std::move(behavior), other.text);
        }
        for (const ir::Value* operand : one.operands)
            add_one(Kind::part, {.opcode = Opcode::freeze, .operands = {operand}},
                    operand == one.operands.front() ? "only its left operand"
                                                    : "only its right operand");
        add_one(Kind::order, reversed(one), "its operands in the other order");
    }

    /// Components of a vector as the line of `one` writes them, or in the shortest form.
    std::string components_in_words(const ir::Instruction& one, const std::vector<int>& components,
                                    std::size_t lanes) const {
        std::string name = text_.components(one, components, lanes);
        if (!name.empty())
            return name;
        name = ".";
        for (const int lane : components)
            name += lane_name(static_cast<std::size_t>(lane), lanes);
        return name;
    }

    /// Other components of a vector.
    void add_lanes(const ir::Instruction& one, std::size_t index) {
        const std::size_t lanes = one.operands[0]->type->lanes();
        const ir::Value& old = *one.operands[index];
        const auto value = static_cast<std::size_t>(ir::integer_of(old));
        const std::string written = components_in_words(one, {static_cast<int>(value)}, lanes);
        for (std::size_t lane = 0; lane < std::min<std::size_t>(lanes, 4); ++lane) {
            if (lane != value && value < lanes)
                add(Kind::component, one,
                    with_operand(one, index, module_.add_constant(*old.type, lane)),
                    "the component " + written, "." + lane_name(lane, lanes));
        }
    }

    /// Other components of a vector, in the same order or in the opposite one: .xy instead of .yz.
    void add_shuffles(const ir::Instruction& one) {
        const std::size_t lanes = one.operands[0]->type->lanes();
        const std::size_t count = one.mask.size();
        const auto is_component = [&](int lane) {
            return lane >= 0 && static_cast<std::size_t>(lane) < lanes;
        };
        if (count > lanes || !std::ranges::all_of(one.mask, is_component))
            return;
        const auto add_one = [&](const std::vector<int>& mask) {
            if (mask == one.mask)
                return;
            ir::Behavior behavior = behavior_of(one);
            behavior.mask = mask;
            add(Kind::component, one, std::move(behavior),
                components_in_words(one, one.mask, lanes), components_in_words(one, mask, lanes));
        };
        for (std::size_t first = 0; first + count <= lanes; ++first) {
            std::vector<int> mask(count);
            std::iota(mask.begin(), mask.end(), static_cast<int>(first));
            add_one(mask);
            std::ranges::reverse(mask);
            add_one(mask);
        }
    }

    /// Other members of the same type of a structure.
    void add_members(const ir::Instruction& step) {
        constexpr std::size_t last = 2;
        if (step.operands.size() != last + 1)
            return; // a member of a member
        const ir::Value& old = *step.operands[last];
        const ir::Type& type = *step.value_type;
        const auto value = static_cast<std::size_t>(ir::integer_of(old));
        for (std::size_t i = 0; i < type.fields.size(); ++i) {
            if (i != value && type.fields[i] == type.fields.at(value))
                add(Kind::component, step,
                    with_operand(step, last, module_.add_constant(*old.type, i)), "the member",
                    "another member");
        }
    }

    /// Whether `value` is a constant vector whose components differ.
    static bool is_mixed(const ir::Value& value) {
        const std::size_t size = value.type->scalar().size;
        const auto bytes = std::span(value.fixed).first(value.type->lanes() * size);
        return !std::ranges::equal(bytes.first(bytes.size() - size), bytes.subspan(size));
    }

    std::string words_for(const ir::Instruction& one, std::size_t operand,
                          const std::string& written) const {
        if (is_mixed(*one.operands[operand])) // a change makes all of them equal
            return "the numbers";
        if (!written.empty())
            return text_.name_number(one, operand, written);
        return text_.has_number(one) ? "a number" : "what is computed";
    }

    /// "0xFFFF" if `example` is such a number, "65535" otherwise.
    static std::string in_same_base(std::int64_t number, const std::string& example) {
        if (number < 0 || !example.starts_with("0x"))
            return std::to_string(number);
        std::ostringstream text;
        text << "0x" << std::hex << std::uppercase << number;
        return text.str();
    }

    /// Masks of other lengths, if `value` is a mask.
    static void add_masks(std::set<std::int64_t>& numbers, std::int64_t value) {
        constexpr std::int64_t least = 7;
        if (value < least || (value & (value + 1)) != 0)
            return;
        for (const int bits : {4, 8, 12, 16, 20, 24, 28, 31})
            numbers.insert((std::int64_t{1} << bits) - 1);
    }

    void add_numbers(const ir::Instruction& one, std::size_t index) {
        const ir::Value& old = *one.operands[index];
        std::string written; // "" for a number of a macro
        const auto add_one = [&](Kind kind, std::uint64_t bits, const std::string& right) {
            add(kind, one, with_operand(one, index, module_.add_constant(*old.type, bits)),
                words_for(one, index, written), right)
                .described.is_slight = !written.empty();
        };
        if (is_float(old.type->scalar())) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            const std::size_t size = old.type->scalar().size;
            const std::size_t lanes = old.type->lanes(); // the first can be undefined
            const double value = vm::get_float({old.fixed.data(), size, lanes}, lanes - 1);
            written = text_.number(one, std::abs(value), false);
            for (const double other :
                 {0.0, 1.0, 2 * value, value / 2, -value, -infinity, infinity}) {
                if (other != value)
                    add_one(Kind::number, vm::float_bits(other, size),
                            !std::isinf(other) ? ""
                            : other > 0        ? "INFINITY"
                                               : "-INFINITY");
            }
            return;
        }
        const std::int64_t value = ir::integer_of(old);
        std::set<std::int64_t> others{value - 1, value + 1, 2 * value, value / 2, 0, 1, 2};
        if (value % 4 == 0) // elements and float4 values are confused easily
            others.insert(value / 4);
        add_masks(others, value);
        others.erase(value);
        written = text_.number(one, std::abs(static_cast<double>(value)), true);
        for (const std::int64_t other : others)
            add_one(std::abs(other - value) == 1 ? Kind::neighbor : Kind::number,
                    static_cast<std::uint64_t>(other), in_same_base(other, written));
        add_group_size(one, index, words_for(one, index, written));
    }

    /// The size of a group, or half of it, instead of a number that can be one.
    void add_group_size(const ir::Instruction& one, std::size_t index, const std::string& wrong) {
        constexpr std::int64_t least = 8;
        const ir::Value& old = *one.operands[index];
        if (like_barrier_ == nullptr || old.type->bits < 32 || ir::integer_of(old) < least)
            return;
        const ir::Instruction& call = call_like_barrier("get_local_size", 0, one);
        std::vector<const ir::Instruction*> before{&call};
        if (old.type != call.type)
            before.push_back(
                &make(3, one, *old.type, {.opcode = Opcode::trunc, .operands = {&call}}));
        const ir::Instruction& size = *before.back();
        add(Kind::number, one, with_operand(one, index, size), wrong, "get_local_size(0)").before =
            before;
        const ir::Constant& two = module_.add_constant(*old.type, 2);
        before.push_back(
            &make(4, one, *old.type, {.opcode = Opcode::udiv, .operands = {&size, &two}}));
        add(Kind::number, one, with_operand(one, index, *before.back()), wrong,
            "get_local_size(0) / 2")
            .before = before;
    }

    /// += instead of =, no assignment at all, or one more or less.
    void add_assignments(const ir::Instruction& store) {
        const ir::Value& value = *store.operands[0];
        const ir::Instruction* variable = ir::as(store.operands[1], Opcode::allocate);
        if (is_integer(*value.type) && variable != nullptr) {
            for (const std::int64_t by : {1, -1}) {
                const ir::Constant& number =
                    module_.add_constant(*value.type, static_cast<std::uint64_t>(by));
                add_sum(Kind::shift, store, value, number, "the value of " + source_name(variable),
                        by > 0 ? "a value greater by 1" : "a value less by 1");
            }
        }
        if (!text_.is_at(store, "=") || text_.is_at(store, "=="))
            return;
        const std::string wrong = "the assignment";
        if (is_integer(*value.type) || is_float(*value.type)) {
            const ir::Instruction& before = make_load(store, *value.type, *store.operands[1]);
            Change& change = add_sum(Kind::assignment, store, before, value, wrong, "+=");
            change.before.insert(change.before.begin(), &before);
        }
        add(Kind::omission, store, nothing, wrong, "nothing");
    }

    /// Stores a + b.
    Change& add_sum(Kind kind, const ir::Instruction& store, const ir::Value& a, const ir::Value& b,
                    const std::string& wrong, const std::string& right) {
        const Opcode opcode = is_float(*a.type) ? Opcode::fadd : Opcode::add;
        const ir::Instruction& sum =
            make(1, store, *a.type, {.opcode = opcode, .operands = {&a, &b}});
        Change& change = add(kind, store, with_operand(store, 0, sum), wrong, right);
        change.before = {&sum};
        return change;
    }

    /// Other variables instead of one, and what is computed from it.
    void add_variables(const ir::Instruction& load) {
        const ir::Instruction* variable = ir::as(load.operands[0], Opcode::allocate);
        const std::string name = variable == nullptr ? "" : source_name(variable);
        if (name.empty()) // a temporary of the compiler
            return;
        const std::string wrong = text_.name_variable(load, name);
        const bool has_integer = is_integer(*load.type);
        if (has_integer) {
            add_shifts(load, wrong, name);
            add_products(load, wrong, name);
        }
        for (const ir::Instruction* other : variables_) {
            if (other == variable || other->value_type != variable->value_type ||
                !is_available(*other, load))
                continue;
            const std::string other_name = source_name(other);
            if (other_name.empty())
                continue;
            add(Kind::variable, load, with_operand(load, 0, *other), wrong, other_name);
            for (const Opcode opcode : {Opcode::add, Opcode::sub}) {
                if (!has_integer)
                    break;
                const ir::Instruction& loaded = make_load(load, *load.type, *other);
                std::string sum = name;
                sum.append(opcode == Opcode::add ? " + " : " - ").append(other_name);
                Change& change = add(Kind::sum, load, behavior_of(load), wrong, sum);
                change.before = {&loaded};
                change.after = &overwrite(load, opcode, loaded);
            }
        }
    }

    /// Results of `one`, which is called `name`, that are a little different, or a part or a multiple.
    void add_shifts(const ir::Instruction& one, const std::string& wrong, const std::string& name) {
        struct Shift {
            Kind kind;
            Opcode opcode;
            std::uint64_t by;
            const char* words;
        };
        for (const Shift& shift : {Shift{Kind::shift, Opcode::add, 1, " + 1"},
                                   {Kind::shift, Opcode::sub, 1, " - 1"},
                                   {Kind::multiple, Opcode::mul, 2, " * 2"},
                                   {Kind::multiple, Opcode::udiv, 2, " / 2"},
                                   {Kind::multiple, Opcode::mul, 4, " * 4"},
                                   {Kind::multiple, Opcode::udiv, 4, " / 4"}})
            add(shift.kind, one, behavior_of(one), wrong, name + shift.words).after =
                &overwrite(one, shift.opcode, module_.add_constant(*one.type, shift.by));
    }

    /// The result of `one`, which is called `name`, times a variable that is set once, such as a
    /// parameter: what an index needs if it counts groups or tiles.
    void add_products(const ir::Instruction& one, const std::string& wrong,
                      const std::string& name) {
        for (const ir::Instruction* factor : variables_) {
            const std::string factor_name = source_name(factor);
            if (factor_name == name || stores_to(*factor).size() != 1 || !can_load(*factor, one))
                continue;
            Change& change = add(Kind::product, one, behavior_of(one), wrong,
                                 std::string(name).append(" * ").append(factor_name));
            change.before = load_for(one, *factor);
            change.after = &overwrite(one, Opcode::mul, *change.before.back());
        }
    }

    /// A variable instead of a call, such as of get_group_id().
    void add_variables_for(const ir::Instruction& call, const std::string& name) {
        for (const ir::Instruction* variable : variables_) {
            if (!can_load(*variable, call))
                continue;
            const std::vector<const ir::Instruction*> loading = load_for(call, *variable);
            add(Kind::variable, call, {.opcode = Opcode::freeze, .operands = {loading.back()}},
                name, source_name(variable))
                .before = loading;
        }
    }

    /// Whether an integer of the source can be loaded at `place`, as a value of the type there.
    bool can_load(const ir::Instruction& variable, const ir::Instruction& place) const {
        return !source_name(&variable).empty() && is_integer(*variable.value_type) &&
               variable.value_type->bits <= place.type->bits && is_available(variable, place);
    }

    /// What loads it; the last one has the value.
    std::vector<const ir::Instruction*> load_for(const ir::Instruction& place,
                                                 const ir::Instruction& variable) {
        const ir::Type& type = *variable.value_type;
        std::vector<const ir::Instruction*> loading{
            &make(5, place, type, {.opcode = Opcode::load, .operands = {&variable}})};
        if (type.bits < place.type->bits)
            loading.push_back(&make(6, place, *place.type,
                                    {.opcode = Opcode::zext, .operands = {loading.front()}}));
        return loading;
    }

    /// Whether `load` can load `variable` instead: something is stored in it before, and its address is
    /// kept until then (see how the reader assigns slots).
    bool is_available(const ir::Instruction& variable, const ir::Instruction& load) const {
        return stored_so_far_.contains(&variable) &&
               (variable.block == load.block ||
                std::ranges::any_of(variable.users, [&](const ir::Instruction* user) {
                    return user->block != variable.block;
                }));
    }

    // New instructions for the function of `place`

    /// Its result takes one of the places that all changes share, by its number.
    const ir::Instruction& make(std::size_t number, const ir::Instruction& place,
                                const ir::Type& type, ir::Behavior behavior) {
        const ir::Instruction& made = module_.make_instruction(
            *place.block->function, type, std::move(behavior), scratch_.at(number));
        if (scratch_.at(number) == nullptr)
            scratch_.at(number) = &made;
        return made;
    }

    const ir::Instruction& call_like_barrier(const std::string& function, std::uint64_t argument,
                                             const ir::Instruction& place) {
        const ir::Value& operand =
            module_.add_constant(*like_barrier_->operands.front()->type, argument);
        return make(2, place, *like_barrier_->type,
                    {.opcode = Opcode::call,
                     .callee = &module_.declare(function, *like_barrier_->callee),
                     .operands = {&operand}});
    }

    const ir::Instruction& make_load(const ir::Instruction& place, const ir::Type& type,
                                     const ir::Value& pointer) {
        return make(0, place, type, {.opcode = Opcode::load, .operands = {&pointer}});
    }

    /// Changes the result of `one`.
    const ir::Instruction& overwrite(const ir::Instruction& one, Opcode opcode,
                                     const ir::Value& operand) {
        return module_.make_instruction(*one.block->function, *one.type,
                                        {.opcode = opcode, .operands = {&one, &operand}}, &one);
    }

    ir::Module& module_;
    std::vector<Change>& found_;
    SourceText text_;
    std::map<std::string, int> times_; ///< that a change has the same words at the same place
    const ir::Instruction* like_barrier_ = nullptr;
    // of the current function
    std::vector<const ir::Instruction*> variables_;
    std::set<int> seen_lines_;
    std::set<int> loop_lines_;                        ///< the first and the last ones of all loops
    std::set<const ir::Value*> stored_so_far_;        ///< variables
    std::array<const ir::Instruction*, 7> scratch_{}; ///< the first with these results; null: none
};

Changes::Changes(ir::Module& module, const std::string& source) {
    Finder(module, source, all_).find();
    std::ranges::stable_sort(all_, {}, &Change::rank);
}

std::vector<wire::Change> Changes::of(const std::unordered_set<const ir::Instruction*>& executed,
                                      const std::function<std::uint64_t()>& effect) const {
    std::vector<wire::Change> changes;
    for (const Change& one : all_) {
        if (!executed.contains(one.instruction))
            continue;
        const Applied applied(&one);
        changes.push_back(one.described);
        changes.back().effect = effect();
    }
    return changes;
}

Changes::Applied::Applied(const Changes& changes, const std::string& key)
    : Applied([&]() -> const Change* {
          const auto found = std::ranges::find_if(
              changes.all_, [&](const Change& one) { return one.described.key == key; });
          return found == changes.all_.end() ? nullptr : &*found;
      }()) {}

Changes::Applied::Applied(const Change* change) : change_(change) {
    if (change_ == nullptr)
        return;
    for (const ir::Instruction* made : change_->before)
        ir::Module::insert_before(*change_->instruction, *made);
    if (change_->after != nullptr)
        ir::Module::insert_after(*change_->instruction, *change_->after);
    before_ = ir::Module::exchange(*change_->instruction, change_->behavior);
}

Changes::Applied::~Applied() {
    if (change_ == nullptr)
        return;
    ir::Module::exchange(*change_->instruction, std::move(before_));
    if (change_->after != nullptr)
        ir::Module::remove(*change_->after);
    for (const ir::Instruction* made : change_->before)
        ir::Module::remove(*made);
}

} // namespace labgrind
