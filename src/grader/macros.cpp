#include "grader/macros.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace grader {
namespace {

using Tokens = std::vector<std::string>;

/// Longer bodies and arguments are no expressions that somebody has forgotten to put in parentheses.
constexpr std::size_t longest_expression = 100;

/// The names, numbers and operators of a line.
Tokens tokens_of(const std::string& text) {
    constexpr std::array pairs{"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
                               "*=", "/=", "%=", "|=", "&=", "^=", "++", "--", "->", "##"};
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    Tokens tokens;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 1;
        if (is_word(text[at])) {
            while (at + length < text.size() && is_word(text[at + length]))
                ++length;
        } else if (std::ranges::find(pairs, text.substr(at, 2)) != pairs.end()) {
            length = 2;
        }
        if (std::isspace(static_cast<unsigned char>(text[at])) == 0)
            tokens.push_back(text.substr(at, length));
        at += length;
    }
    return tokens;
}

bool is_operand_end(const std::string& token) {
    return token == ")" || token == "]" ||
           std::isalnum(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_';
}

/// How strongly the binary operator at `at` binds; 0: there is none.
int strength(std::span<const std::string> tokens, std::size_t at) {
    static const std::map<std::string, int> strengths{
        {"?", 1},  {"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7},
        {"!=", 7}, {"<", 8},  {">", 8},  {"<=", 8}, {">=", 8}, {"<<", 9}, {">>", 9},
        {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};
    if (at == 0 || at >= tokens.size() || !is_operand_end(tokens[at - 1]))
        return 0;
    const auto found = strengths.find(tokens[at]);
    return found == strengths.end() ? 0 : found->second;
}

/// An operator of an expression that stands in no parentheses, the one that binds least.
struct Loosest {
    int strength = 0;      ///< 0: there is none
    bool reorders = false; ///< after a + or a * of its strength, no parentheses are needed
};

Loosest loosest(std::span<const std::string> tokens) {
    Loosest found;
    int depth = 0;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        depth += tokens[at] == "(" || tokens[at] == "[" ? 1 : 0;
        depth -= tokens[at] == ")" || tokens[at] == "]" ? 1 : 0;
        const int one = depth == 0 ? strength(tokens, at) : 0;
        if (one == 0 || (found.strength != 0 && one > found.strength))
            continue;
        const bool reorders = tokens[at] == "+" || tokens[at] == "-" || tokens[at] == "*";
        found = {one, reorders && (one < found.strength || found.strength == 0 || found.reorders)};
    }
    return found;
}

/// Whether an operator before or after an expression takes a part of it as its operand.
bool is_torn(const Loosest& inner, const std::string& before, int strength_before,
             int strength_after) {
    if (inner.strength == 0)
        return false;
    const bool changes_places = inner.reorders && (before == "+" || before == "*");
    return strength_before > inner.strength ||
           (strength_before == inner.strength && !changes_places) ||
           strength_after > inner.strength;
}

struct Macro {
    int line = 0;
    std::string name;
    std::optional<Tokens> parameters; ///< not set: it takes none
    Tokens body;
};

/// A macro that is used, and the index after that.
struct Use {
    std::vector<Tokens> arguments;
    std::size_t end = 0;
};

/// The macro that a line defines; nothing if it defines none, or one that is no expression.
std::optional<Macro> definition(const std::string& text, int line) {
    const Tokens tokens = tokens_of(text);
    if (tokens.size() < 4 || tokens[0] != "#" || tokens[1] != "define")
        return std::nullopt;
    Macro macro{line, tokens[2], std::nullopt, {}};
    std::size_t at = 3;
    const std::size_t end_of_name =
        text.find(macro.name, text.find("define") + 6) + macro.name.size();
    if (end_of_name < text.size() && text[end_of_name] == '(') {
        macro.parameters.emplace();
        for (++at; at < tokens.size() && tokens[at] != ")"; ++at) {
            if (tokens[at] != ",")
                macro.parameters->push_back(tokens[at]);
        }
        ++at;
    }
    for (; at < tokens.size(); ++at) {
        if (tokens[at] == "{" || tokens[at] == ";" || tokens[at] == "\\" || tokens[at] == "=" ||
            tokens[at][0] == '#')
            return std::nullopt;
        macro.body.push_back(tokens[at]);
    }
    return macro.body.size() <= longest_expression ? std::optional(macro) : std::nullopt;
}

/// The use of `macro` at `at` in a line; nothing if it does not end there.
std::optional<Use> use_at(const Macro& macro, std::span<const std::string> tokens, std::size_t at) {
    Use use{{}, at + 1};
    if (!macro.parameters)
        return use;
    if (use.end >= tokens.size() || tokens[use.end] != "(")
        return std::nullopt;
    use.arguments.emplace_back();
    int depth = 0;
    const std::size_t limit = std::min(tokens.size(), use.end + longest_expression);
    for (; use.end < limit; ++use.end) {
        const std::string& token = tokens[use.end];
        depth += token == "(" ? 1 : token == ")" ? -1 : 0;
        if (depth == 0) {
            ++use.end;
            return use.arguments.size() == macro.parameters->size() ? std::optional(use)
                                                                    : std::nullopt;
        }
        if (token == "," && depth == 1)
            use.arguments.emplace_back();
        else if (token != "(" || depth > 1)
            use.arguments.back().push_back(token);
    }
    return std::nullopt;
}

std::string joined(std::span<const std::string> tokens) {
    std::string text;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const bool is_binary = strength(tokens, at) != 0;
        text += (is_binary ? " " : "") + tokens[at] + (is_binary || tokens[at] == "," ? " " : "");
    }
    return text;
}

/// What stands for `token` of the body in a use; null: it is no parameter.
const Tokens* argument_for(const std::string& token, const Macro& macro, const Use& use) {
    if (!macro.parameters)
        return nullptr;
    const auto parameter = std::ranges::find(*macro.parameters, token);
    return parameter == macro.parameters->end()
               ? nullptr
               : &use.arguments[static_cast<std::size_t>(parameter - macro.parameters->begin())];
}

/// The body of `macro` with the arguments of a use.
Tokens expanded(const Macro& macro, const Use& use) {
    Tokens all;
    for (const std::string& token : macro.body) {
        if (const Tokens* argument = argument_for(token, macro, use))
            all.insert(all.end(), argument->begin(), argument->end());
        else
            all.push_back(token);
    }
    return all;
}

/// Whether an operator of the body takes only a part of an argument.
bool tears_argument(const Macro& macro, const Use& use) {
    for (std::size_t at = 0; at < macro.body.size(); ++at) {
        const Tokens* argument = argument_for(macro.body[at], macro, use);
        if (argument != nullptr &&
            is_torn(loosest(*argument), at == 0 ? "" : macro.body[at - 1],
                    at == 0 ? 0 : strength(macro.body, at - 1), strength(macro.body, at + 1)))
            return true;
    }
    return false;
}

/// An operand beside a macro, for messages: a name or a number, or "..." for more.
std::string operand(std::span<const std::string> tokens, std::size_t at) {
    const bool is_simple =
        at < tokens.size() && tokens[at] != ")" && tokens[at] != "(" && tokens[at] != "]";
    return is_simple ? tokens[at] : "...";
}

/// What the use of a macro in a line becomes, with its neighbors: "16 / P(k) at line 9 becomes
/// 16 / k + 1"; "" if it means what it seems to.
std::string surprise(const Macro& macro, const Use& use, std::span<const std::string> tokens,
                     std::size_t at, int line) {
    constexpr int of_unary = 12; // operators bind more strongly than all binary ones
    const bool is_unary = at != 0 && strength(tokens, at - 1) == 0 &&
                          (tokens[at - 1] == "!" || tokens[at - 1] == "-" || tokens[at - 1] == "~");
    const int before = at == 0 ? 0 : is_unary ? of_unary : strength(tokens, at - 1);
    const int after = strength(tokens, use.end);
    if (!is_torn(loosest(macro.body), at == 0 ? "" : tokens[at - 1], before, after) &&
        !tears_argument(macro, use))
        return "";
    const std::string left = before == 0 ? ""
                             : is_unary  ? tokens[at - 1]
                                         : operand(tokens, at - 2) + " " + tokens[at - 1] + " ";
    const std::string right =
        after == 0 ? "" : " " + tokens[use.end] + " " + operand(tokens, use.end + 1);
    return left + joined(tokens.subspan(at, use.end - at)) + right + " at line " +
           std::to_string(line) + " becomes " + left + joined(expanded(macro, use)) + right;
}

} // namespace

std::vector<KernelFile::Place> macros_without_parentheses(const KernelFile& file) {
    std::map<std::string, Macro> macros;
    std::vector<KernelFile::Place> found;
    int line = 0;
    for (const std::string& text : file.code_lines()) {
        ++line;
        if (auto macro = definition(text, line)) {
            macros.emplace(macro->name, *macro);
            continue;
        }
        const Tokens tokens = tokens_of(text);
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            const auto known = macros.find(tokens[at]);
            if (known == macros.end())
                continue;
            const Macro& macro = known->second;
            const auto use = use_at(macro, tokens, at);
            const std::string wrong = use ? surprise(macro, *use, tokens, at, line) : "";
            if (wrong.empty())
                continue;
            found.push_back(
                {macro.line, "the macro " + macro.name + " lacks parentheses: " + wrong});
            macros.erase(known);
        }
    }
    return found;
}

} // namespace grader
