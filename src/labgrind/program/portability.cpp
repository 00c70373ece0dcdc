#include "labgrind/program/portability.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace labgrind {
namespace {

using ir::Opcode;
using Kind = ir::Type::Kind;

// --- the source -------------------------------------------------------------------------------------

struct Word {
    int line = 0;
    std::string text;          ///< a name, or "##"
    bool in_condition = false; ///< of the preprocessor: #if, #ifdef, ...
    bool is_defined = false;   ///< it follows #define
};

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The names in a program, without those in comments and literals.
class Words {
  public:
    explicit Words(const std::string& source) : source_(source) {}

    std::vector<Word> all() {
        while (at_ < source_.size()) {
            if (skips_joined_lines() || skips_comment() || skips_literal() || takes_name())
                continue;
            takes_mark();
        }
        return std::move(words_);
    }

  private:
    bool is_at(const char* text) const { return source_.compare(at_, 2, text) == 0; }

    bool skips_joined_lines() {
        if (!is_at("\\\n"))
            return false;
        ++line_;
        at_ += 2;
        return true;
    }

    bool skips_comment() {
        const bool line = is_at("//");
        if (!line && !is_at("/*"))
            return false;
        const std::size_t end = source_.find(line ? "\n" : "*/", at_ + 2);
        go_to(end == std::string::npos ? source_.size() : end + (line ? 0 : 2));
        return true;
    }

    bool skips_literal() {
        const char quote = source_[at_];
        if (quote != '"' && quote != '\'')
            return false;
        std::size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
            end += source_[end] == '\\' ? 2 : 1;
        go_to(std::min(end + 1, source_.size()));
        return true;
    }

    /// A name or a number; it may continue on a joined line.
    bool takes_name() {
        Word word{line_, "", directive_ == "if", directive_ == "define"};
        while (at_ < source_.size() && (is_name_character(source_[at_]) || is_at("\\\n"))) {
            if (!skips_joined_lines())
                word.text += source_[at_++];
        }
        if (word.text.empty())
            return false;
        if (std::exchange(begins_directive_, false)) {
            directive_ = word.text == "elif" || word.text.starts_with("if") ? "if" : word.text;
            return true;
        }
        if (directive_ == "define")
            directive_ = "defined"; // the rest is its replacement
        if (std::isdigit(static_cast<unsigned char>(word.text.front())) == 0)
            words_.push_back(std::move(word));
        return true;
    }

    void takes_mark() {
        const char c = source_[at_];
        if (is_at("##"))
            words_.push_back({line_, "##"});
        if (c == '\n') {
            ++line_;
            directive_.clear();
            line_is_empty_ = true;
        } else if (c == '#' && line_is_empty_) {
            begins_directive_ = true;
        }
        line_is_empty_ = line_is_empty_ && std::isspace(static_cast<unsigned char>(c)) != 0;
        ++at_;
    }

    void go_to(std::size_t end) {
        line_ +=
            static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                        source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }

    const std::string& source_;
    std::vector<Word> words_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool line_is_empty_ = true; ///< so far
    bool begins_directive_ = false;
    std::string directive_; ///< of this line; "if" for every directive with a condition
};

/// Reserved names to which OpenCL C gives the same meaning everywhere.
bool is_part_of_the_language(const std::string& name) {
    static const std::set<std::string> names{
        "__kernel",      "__global",    "__local",      "__constant",   "__private",
        "__generic",     "__read_only", "__write_only", "__read_write", "__const",
        "__attribute__", "__LINE__",    "__volatile",   "__inline",     "__restrict"};
    // Names in attributes: __attribute__((__packed__)).
    return names.contains(name) || name == "__aligned__" || name == "__packed__" ||
           name == "__reqd_work_group_size__" || name == "__work_group_size_hint__";
}

std::optional<Difference> find_in_source(const std::string& source, const std::string& options) {
    const std::vector<Word> words = Words(source).all();
    std::set<std::string> own{"defined"};
    for (const Word& word : Words(options).all())
        own.insert(word.text.starts_with('D') ? word.text.substr(1) : word.text);
    for (const Word& word : words) {
        if (word.is_defined)
            own.insert(word.text);
    }
    for (const Word& word : words) {
        if (word.text == "##")
            return Difference{word.line, "## can form the name of any macro"};
        const bool reserved =
            word.text.size() > 1 && word.text[0] == '_' &&
            (word.text[1] == '_' || std::isupper(static_cast<unsigned char>(word.text[1])) != 0);
        if (reserved ? !is_part_of_the_language(word.text)
                     : word.in_condition && !own.contains(word.text))
            return Difference{word.line, word.text + " differs between compilers"};
    }
    return std::nullopt;
}

// --- what the compiler makes of it ------------------------------------------------------------------

bool is_address(const ir::Value& value) {
    return value.type != nullptr && value.type->scalar().is(Kind::pointer);
}

bool contains_pointer(const ir::Type& type) {
    if (type.is(Kind::structure))
        return std::ranges::any_of(type.fields,
                                   [](const ir::Type* field) { return contains_pointer(*field); });
    return type.is(Kind::pointer) || (type.element != nullptr && contains_pointer(*type.element));
}

bool leaves_addresses_alone(const std::string& builtin) {
    return builtin == "wait_group_events" || builtin.starts_with("llvm.dbg") ||
           builtin.starts_with("llvm.memset");
}

/// Whether the contents of a place in private memory are only used as an address, or as an event.
bool holds_addresses(const ir::Value& place) {
    return std::ranges::all_of(place.users, [&](const ir::Instruction* user) {
        switch (user->opcode) {
        case Opcode::load:
            return is_address(*user);
        case Opcode::store:
            return user->operands[1] == &place && is_address(*user->operands[0]);
        case Opcode::step:
        case Opcode::bitcast:
        case Opcode::addrspacecast:
            return holds_addresses(*user);
        case Opcode::call:
            return user->callee != nullptr && leaves_addresses_alone(user->callee->plain_name);
        default:
            return false;
        }
    });
}

/// The private variable that `place` lies in, or null.
const ir::Instruction* variable_at(const ir::Value* place) {
    while (const auto* step = ir::as(place, Opcode::step))
        place = step->operands[0];
    return ir::as(place, Opcode::allocate);
}

bool computes_with_floats(const ir::Instruction& call) {
    const auto is_float = [](const ir::Type* type) {
        return type != nullptr && type->scalar().is(Kind::floating);
    };
    return is_float(call.type) || std::ranges::any_of(call.operands, [&](const ir::Value* value) {
               return is_float(value->type);
           });
}

/// Whether a built-in function gives the same result everywhere, except for the rounding of sums
/// and products.
bool is_exact(const std::string& name) {
    static const std::set<std::string> names{
        "fabs",     "fmin",        "fmax",          "floor",     "ceil",      "rint",
        "round",    "trunc",       "copysign",      "fma",       "mad",       "sign",
        "step",     "clamp",       "min",           "max",       "mix",       "dot",
        "ldexp",    "ilogb",       "logb",          "nextafter", "fdim",      "fract",
        "modf",     "frexp",       "sqrt",          "isnan",     "isinf",     "isfinite",
        "isnormal", "isequal",     "isnotequal",    "isgreater", "isless",    "isgreaterequal",
        "signbit",  "islessequal", "islessgreater", "isordered", "bitselect", "isunordered",
        "select",   "shuffle",     "shuffle2",      "any",       "all",       "cross",
        "llvm.fabs"};
    static const std::array beginnings{"vload",        "vstore",   "as_",     "async_",
                                       "llvm.fmuladd", "llvm.mem", "convert_"};
    return names.contains(name) || std::ranges::any_of(beginnings, [&](const char* beginning) {
               return name.starts_with(beginning);
           });
}

constexpr const char* too_large =
    "a float that is too large for an integer converts differently on each device";

std::string difference_of_builtin(const ir::Instruction& call) {
    const std::string& name = call.callee->plain_name;
    if (name == "printf")
        return "the result of printf differs between devices";
    if (call.callee->is_atomic())
        return "work-items reach " + name + " in a different order on each device";
    if (name.starts_with("convert_") && name.find("_sat") == std::string::npos &&
        !call.type->scalar().is(Kind::floating) &&
        call.operands[0]->type->scalar().is(Kind::floating))
        return too_large;
    return computes_with_floats(call) && !is_exact(name)
               ? name + " may round differently on each device"
               : "";
}

/// The instruction of a variable has no line: use the line of the variable.
int line_of(const ir::Instruction& instruction) {
    return instruction.variable == nullptr ? instruction.line
                                           : static_cast<int>(instruction.variable->number("line"));
}

/// How an instruction differs from device to device; "": it does not.
std::string difference_of(const ir::Instruction& instruction) {
    switch (instruction.opcode) {
    case Opcode::ptrtoint:
        return "an address is used as a number";
    case Opcode::icmp:
        return is_address(*instruction.operands[0]) && ir::asks_for_order(instruction.predicate)
                   ? "an address is compared with another address"
                   : "";
    case Opcode::allocate:
        return contains_pointer(*instruction.value_type) && !holds_addresses(instruction)
                   ? "an address is stored where it can be read as a number"
                   : "";
    case Opcode::store:
        return is_address(*instruction.operands[0]) &&
                       variable_at(instruction.operands[1]) == nullptr
                   ? "an address is stored where it can be read as a number"
                   : "";
    case Opcode::fptosi:
    case Opcode::fptoui:
        return too_large;
    case Opcode::call:
        return instruction.callee != nullptr && instruction.callee->is_declaration()
                   ? difference_of_builtin(instruction)
                   : "";
    default:
        return "";
    }
}

} // namespace

std::optional<Difference> find_difference(const std::string& source, const std::string& options,
                                          const ir::Module& module) {
    if (auto found = find_in_source(source, options))
        return found;
    std::optional<Difference> by_order;
    for (const ir::Instruction* one : module.instructions()) {
        std::string what = difference_of(*one);
        if (what.empty())
            continue;
        Difference found{line_of(*one), std::move(what), one->atomic() != ir::Atomic::none};
        if (!found.by_order)
            return found;
        if (!by_order)
            by_order = std::move(found);
    }
    return by_order;
}

} // namespace labgrind
