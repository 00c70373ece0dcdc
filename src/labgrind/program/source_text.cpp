#include "labgrind/program/source_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <sstream>
#include <tuple>

namespace labgrind {
namespace {

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The length of the name, number or symbol that `text` begins with.
std::size_t length_of_token(std::string_view text) {
    constexpr std::array symbols{"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "->"};
    if (is_in_word(text.front())) {
        const bool is_number = is_digit(text.front());
        const auto* const end = std::ranges::find_if_not(
            text, [&](char c) { return is_in_word(c) || (is_number && c == '.'); });
        return static_cast<std::size_t>(end - text.begin());
    }
    const auto* const symbol =
        std::ranges::find_if(symbols, [&](const char* one) { return text.starts_with(one); });
    return symbol == symbols.end() ? 1 : std::string_view(*symbol).size();
}

/// A name, a number or a symbol in a line.
struct Token {
    std::size_t column; ///< from 0
    std::string_view text;
};
using Tokens = std::vector<Token>;

Tokens tokens_of(std::string_view line) {
    Tokens tokens;
    for (std::size_t column = 0; column < line.size();) {
        const std::string_view rest = line.substr(column);
        if (rest.starts_with("//"))
            break;
        const std::size_t length = length_of_token(rest);
        if (std::isspace(static_cast<unsigned char>(rest.front())) == 0)
            tokens.push_back({column, rest.substr(0, length)});
        column += length;
    }
    return tokens;
}

std::size_t column_of(const ir::Instruction& one) {
    return static_cast<std::size_t>(std::max(one.column, 1) - 1);
}

/// The index of the token at the place of `one`; nothing if none begins there.
std::optional<std::size_t> index_of(const Tokens& tokens, const ir::Instruction& one) {
    const auto found = std::ranges::find(tokens, column_of(one), &Token::column);
    return one.column == 0 || found == tokens.end() // 0: unknown
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - tokens.begin()));
}

/// "the second "; nothing if there are no words.
std::optional<std::string> ordinal(std::size_t index) {
    constexpr std::array words{"first", "second", "third", "fourth", "fifth", "sixth"};
    return index < words.size() ? std::optional(std::string("the ") + words.at(index) + " ")
                                : std::nullopt;
}

/// "the number 2", or "the second number 2" if `index` is the second of several tokens with this text.
/// `kind`: "number", or nothing for a variable.
std::string name_among(const Tokens& tokens, const std::string& text,
                       std::optional<std::size_t> index, const std::string& kind) {
    if (std::ranges::count(tokens, text, &Token::text) < 2)
        return "the " + (kind.empty() ? "variable" : kind) + " " + text;
    if (index && tokens[*index].text == text) {
        const auto earlier =
            std::ranges::count(std::span(tokens).first(*index), text, &Token::text);
        if (const auto which = ordinal(static_cast<std::size_t>(earlier)))
            return *which + (kind.empty() ? "\"" + text + "\"" : kind + " " + text);
    }
    return kind.empty() ? "one use of the variable " + text : "one of the " + kind + "s " + text;
}

/// The components that a name such as "xz", "even" or "s02" selects from a vector; empty for any other name.
/// See section 6.1.7 of the OpenCL C 1.2 specification.
std::vector<int> components_of(std::string_view name, std::size_t lanes) {
    const int half = static_cast<int>(lanes + 1) / 2;
    const std::array<std::tuple<const char*, int, int>, 4> halves{
        {{"lo", 0, 1}, {"hi", half, 1}, {"even", 0, 2}, {"odd", 1, 2}}};
    std::vector<int> components;
    for (const auto& [half_name, first, step] : halves) {
        for (int i = 0; name == half_name && i < half; ++i)
            components.push_back(first + i * step);
    }
    if (!components.empty())
        return components;
    const bool has_digits = name.starts_with('s') || name.starts_with('S');
    for (const char c : name.substr(has_digits ? 1 : 0)) {
        const std::size_t component =
            has_digits ? std::string_view("0123456789abcdef")
                             .find(static_cast<char>(std::tolower(static_cast<unsigned char>(c))))
                       : std::string_view("xyzw").find(c);
        if (component >= lanes)
            return {};
        components.push_back(static_cast<int>(component));
    }
    return components;
}

} // namespace

SourceText::SourceText(const std::string& source) {
    std::istringstream text(source);
    for (std::string line; std::getline(text, line);)
        lines_.push_back(line);
}

std::string_view SourceText::line_of(const ir::Instruction& one) const {
    const auto line = static_cast<std::size_t>(one.line - 1);
    return line < lines_.size() ? std::string_view(lines_[line]) : std::string_view();
}

bool SourceText::is_at(const ir::Instruction& one, std::string_view symbol) const {
    const std::string_view line = line_of(one);
    return column_of(one) < line.size() && line.substr(column_of(one)).starts_with(symbol);
}

std::string SourceText::number(const ir::Instruction& one, double number, bool is_whole) const {
    for (const Token& token : tokens_of(line_of(one))) {
        std::string word(token.text);
        char* rest = nullptr;
        const double value = std::strtod(word.c_str(), &rest);
        if (rest != word.c_str() && value == number &&
            std::string_view(rest).find_first_not_of(is_whole ? "uUlL" : "fF") ==
                std::string_view::npos &&
            (!is_whole || word.find('.') == std::string::npos))
            return word;
    }
    return "";
}

bool SourceText::has_number(const ir::Instruction& one) const {
    return std::ranges::any_of(tokens_of(line_of(one)), [](const Token& token) {
        return token.text.front() >= '0' && token.text.front() <= '9';
    });
}

std::string SourceText::components(const ir::Instruction& one, const std::vector<int>& components,
                                   std::size_t lanes) const {
    const Tokens tokens = tokens_of(line_of(one));
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i - 1].text == "." && components_of(tokens[i].text, lanes) == components)
            return "." + std::string(tokens[i].text);
    }
    return "";
}

std::string SourceText::name_variable(const ir::Instruction& one, const std::string& name) const {
    const Tokens tokens = tokens_of(line_of(one));
    return name_among(tokens, name, index_of(tokens, one), "");
}

std::string SourceText::name_comparison(const ir::Instruction& one,
                                        const std::string& symbol) const {
    const Tokens tokens = tokens_of(line_of(one));
    return name_among(tokens, symbol, index_of(tokens, one), "comparison");
}

std::string SourceText::name_number(const ir::Instruction& one, std::size_t operand,
                                    const std::string& written) const {
    const Tokens tokens = tokens_of(line_of(one));
    // The place of an operation with two operands is that of its symbol, which is between them.
    std::optional<std::size_t> index = index_of(tokens, one);
    const auto is_symbol = [&](std::size_t i) { return !is_in_word(tokens[i].text.front()); };
    if (!index || one.operands.size() != 2 || !is_symbol(*index) ||
        (operand == 0 ? *index == 0 : *index + 1 == tokens.size()))
        index.reset();
    else
        index = operand == 0 ? *index - 1 : *index + 1;
    return name_among(tokens, written, index, "number");
}

} // namespace labgrind
