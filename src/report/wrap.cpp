#include "report/wrap.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <sys/ioctl.h>
#include <vector>

namespace report {
namespace {

/// Narrower lines would have one word each.
constexpr std::size_t fewest_columns = 40;
constexpr std::size_t hanging_indent = 2;

/// The columns that UTF-8 `text` takes, one for each character.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

/// `text` without the `characters` at its beginning.
std::string_view without_leading(std::string_view text, std::string_view characters) {
    return text.substr(std::min(text.find_first_not_of(characters), text.size()));
}

/// Whether a line must stay whole: "  13 | code", "| printed", "     ^", "again: ./harness ...".
bool stays_whole(std::string_view line) {
    const std::string_view text = without_leading(line, " ");
    const std::string_view after_number = without_leading(text, "0123456789");
    const bool has_number = after_number.size() < text.size();
    const std::string_view bar = has_number ? without_leading(after_number, " ") : text;
    return bar == "|" || bar.starts_with("| ") || text == "^" || line.starts_with("again: ");
}

bool is_option(std::string_view word) {
    static const std::string letters = "abcdefghijklmnopqrstuvwxyz-";
    return word.size() > 1 && word[0] == '-' && letters.find(word[1]) != std::string::npos;
}

/// Whether a word sets a variable: SOLUTIONS=1.
bool is_setting(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != std::string_view::npos && equals != 0 &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                       [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

/// Whether two words after each other belong to one command: make lab1, ./harness --seed 3.
bool is_one_command(std::string_view before, std::string_view word) {
    return before == "make" || before == "&&" || word == "&&" || is_option(word) ||
           is_setting(word) || before.starts_with("--");
}

/// A piece of a line that is not broken, and the blanks before it.
struct Piece {
    std::size_t blanks = 0;
    std::string text;
};

std::vector<Piece> pieces_of(const std::string& line) {
    std::vector<Piece> pieces;
    std::string_view last_word;
    for (std::size_t at = line.find_first_not_of(' '), end = 0; at != std::string::npos;
         at = line.find_first_not_of(' ', end)) {
        const std::size_t blanks = at - end;
        end = std::min(line.find(' ', at), line.size());
        const std::size_t quote = line.find("=\"", at); // -tc="a name"
        if (line[at] == '-' && quote < end)
            end = std::min(line.find('"', quote + 2), line.size() - 1) + 1;
        const std::string_view word = std::string_view(line).substr(at, end - at);
        if (!pieces.empty() && is_one_command(last_word, word))
            pieces.back().text += std::string(blanks, ' ').append(word);
        else
            pieces.push_back({blanks, std::string(word)});
        last_word = word;
    }
    return pieces;
}

/// The indent for what does not fit: below the second column of a table, or a bit more than the line.
std::size_t indent_of(const std::vector<Piece>& pieces, std::size_t columns) {
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        const bool begins_column = at != 0 && piece.blanks > 1;
        at += piece.blanks;
        if (begins_column && 2 * at <= columns)
            return at;
        at += width_of(piece.text);
    }
    return pieces.front().blanks + hanging_indent;
}

std::string wrapped_line(const std::string& line, std::size_t columns, const std::string& margin) {
    if (margin.size() + width_of(line) <= columns || stays_whole(line))
        return margin + line + "\n";
    const std::vector<Piece> pieces = pieces_of(line);
    const std::string indent(pieces.empty() ? 0 : indent_of(pieces, columns), ' ');
    std::string text;
    std::string part = margin;
    bool has_words = false;
    for (const Piece& piece : pieces) {
        if (has_words && width_of(part) + piece.blanks + width_of(piece.text) > columns) {
            text += part + "\n";
            part = margin + indent + piece.text;
        } else {
            part += std::string(piece.blanks, ' ') + piece.text;
        }
        has_words = true;
    }
    return text + part + "\n";
}

} // namespace

std::string wrapped(const std::string& text, std::size_t columns, const std::string& margin) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);)
        result += wrapped_line(line, columns, margin);
    return result;
}

std::size_t columns_of(int fd) {
    std::size_t columns = 0;
    if (const char* wanted = std::getenv("COLUMNS")) { // NOLINT(concurrency-mt-unsafe)
        const std::string_view text = wanted;
        std::from_chars(text.data(), text.data() + text.size(), columns);
    }
    winsize size{};
    if (columns == 0) {
        const bool is_narrow =
            ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 && size.ws_col < usual_columns;
        columns = is_narrow ? size.ws_col : usual_columns;
    }
    return std::max(columns, fewest_columns);
}

} // namespace report
