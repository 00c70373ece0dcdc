#include "labgrind/program/source_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <sstream>

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

/// "the second "; nothing if there are no words.
std::optional<std::string> ordinal(std::size_t index) {
    constexpr std::array words{"first", "second", "third", "fourth", "fifth", "sixth"};
    return index < words.size() ? std::optional(std::string("the ") + words.at(index) + " ")
                                : std::nullopt;
}

} // namespace

SourceText::SourceText(const std::string& source) {
    std::istringstream text(source);
    for (std::string line; std::getline(text, line);)
        lines_.push_back(line);
}

bool SourceText::is_at(const ir::Instruction& one, std::string_view symbol) const {
    const auto line = static_cast<std::size_t>(one.line - 1);
    const auto column = static_cast<std::size_t>(std::max(one.column, 1) - 1);
    return line < lines_.size() && column < lines_[line].size() &&
           std::string_view(lines_[line]).substr(column).starts_with(symbol);
}

std::vector<SourceText::Token> SourceText::tokens_of(const ir::Instruction& one) const {
    const auto number = static_cast<std::size_t>(one.line - 1);
    std::vector<Token> tokens;
    if (number >= lines_.size())
        return tokens;
    const std::string_view line = lines_[number];
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

std::string SourceText::number(const ir::Instruction& one, double number, bool is_whole) const {
    for (const Token& token : tokens_of(one)) {
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

namespace {

/// The index of the token at this column; nothing if none begins there.
template <class Tokens> std::optional<std::size_t> at_column(const Tokens& tokens, int column) {
    const auto found = std::ranges::find_if(
        tokens, [&](const auto& token) { return static_cast<int>(token.column) == column - 1; });
    return found == tokens.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - tokens.begin()));
}

/// "the number 2", or "the second number 2" if `index` is the second of several tokens with this text.
/// `kind`: "number", or nothing for a variable.
template <class Tokens> std::string name_among(const Tokens& tokens, const std::string& text,
                                               std::optional<std::size_t> index,
                                               const std::string& kind) {
    const auto is_alike = [&](const auto& token) { return token.text == text; };
    if (std::ranges::count_if(tokens, is_alike) < 2)
        return "the " + (kind.empty() ? "variable" : kind) + " " + text;
    if (index && is_alike(tokens[*index])) {
        const auto earlier =
            std::count_if(tokens.begin(),
                          std::next(tokens.begin(), static_cast<std::ptrdiff_t>(*index)), is_alike);
        if (const auto which = ordinal(static_cast<std::size_t>(earlier)))
            return *which + (kind.empty() ? "\"" + text + "\"" : kind + " " + text);
    }
    return kind.empty() ? "one use of the variable " + text : "one of the " + kind + "s " + text;
}

} // namespace

std::string SourceText::name_variable(const ir::Instruction& one, const std::string& name) const {
    const std::vector<Token> tokens = tokens_of(one);
    return name_among(tokens, name, at_column(tokens, one.column), "");
}

std::string SourceText::name_comparison(const ir::Instruction& one,
                                        const std::string& symbol) const {
    const std::vector<Token> tokens = tokens_of(one);
    return name_among(tokens, symbol, at_column(tokens, one.column), "comparison");
}

std::string SourceText::name_number(const ir::Instruction& one, std::size_t operand,
                                    const std::string& written) const {
    const std::vector<Token> tokens = tokens_of(one);
    // The place of an operation with two operands is that of its symbol, which is between them.
    std::optional<std::size_t> index = at_column(tokens, one.column);
    const auto is_symbol = [&](std::size_t i) { return !is_in_word(tokens[i].text.front()); };
    if (!index || one.operands.size() != 2 || !is_symbol(*index) ||
        (operand == 0 ? *index == 0 : *index + 1 == tokens.size()))
        index.reset();
    else
        index = operand == 0 ? *index - 1 : *index + 1;
    return name_among(tokens, written, index, "number");
}

} // namespace labgrind
