#include "report/gradebook.hpp"

#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace report {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the digits from `at` on, without leading zeros.
std::string_view digits(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end]))
        ++end;
    while (at < end && text[at] == '0')
        ++at;
    return text.substr(at, end - at);
}

/// Orders lab2 before lab10.
struct Naturally {
    bool operator()(const std::string& a, const std::string& b) const {
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < a.size() && j < b.size()) {
            if (is_digit(a[i]) && is_digit(b[j])) {
                const std::string_view left = digits(a, i);
                const std::string_view right = digits(b, j);
                if (left.size() != right.size())
                    return left.size() < right.size();
                if (left != right)
                    return left < right;
                i = static_cast<std::size_t>(left.data() - a.data()) + left.size();
                j = static_cast<std::size_t>(right.data() - b.data()) + right.size();
            } else if (a[i] != b[j]) {
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            } else {
                ++i;
                ++j;
            }
        }
        if (a.size() - i != b.size() - j)
            return a.size() - i < b.size() - j;
        return a < b; // lab01 and lab1
    }
};

/// The characters that formulas begin with, including the full-width and small forms of East Asian
/// keyboards.
constexpr std::array<std::string_view, 13> formula_signs{"=",
                                                         "+",
                                                         "-",
                                                         "@",
                                                         "\xEF\xBC\x9D",
                                                         "\xEF\xBC\x8B",
                                                         "\xEF\xBC\x8D",
                                                         "\xEF\xBC\xA0",
                                                         "\xEF\xB9\xA6",
                                                         "\xEF\xB9\xA2",
                                                         "\xEF\xB9\xA3",
                                                         "\xEF\xB9\xAB",
                                                         "\xE2\x88\x92"};

/// Whether a formula could begin at `at`. Skips apostrophes, too: a text that looks like a
/// guarded one gets another guard, so that the two stay different.
bool begins_formula(const std::string& text, std::size_t at) {
    for (std::size_t before = std::string::npos; before != at;) {
        before = at;
        at = after_blanks(text, at);
        while (at < text.size() && (text[at] == '\'' || text[at] == '"'))
            ++at;
    }
    return std::ranges::any_of(formula_signs, [&](std::string_view sign) {
        return text.compare(at, sign.size(), sign) == 0;
    });
}

/// Returns a cell without formulas and commands. Where semicolons separate lists, spreadsheets also
/// split a CSV file at semicolons, so no formula may begin after one either.
std::string cell(const std::string& line) {
    std::string guarded;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if ((i == 0 || line[i - 1] == ';') && begins_formula(line, i))
            guarded += '\'';
        if (i < line.size())
            guarded += line[i];
    }
    // The escapes of visible_line: a cell can be the first of its line.
    guarded = without_commands(guarded, {"\\x3A:", "##\\x5B"});
    if (guarded.find_first_of(",;\"") == std::string::npos && after_blanks(guarded, 0) == 0)
        return guarded;
    std::string quoted = "\"";
    for (const char c : guarded)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace

std::string gradebook(const std::vector<Row>& rows, const std::vector<std::string>& labs) {
    std::set<std::string, Naturally> columns(labs.begin(), labs.end());
    for (const Row& row : rows) {
        for (const auto& [lab, score] : row.scores)
            columns.insert(lab);
    }
    std::vector<Row> sorted = rows;
    std::ranges::stable_sort(sorted,
                             [](const Row& a, const Row& b) { return a.student < b.student; });

    std::string text = "\xEF\xBB\xBFstudent"; // Excel takes the file for Latin-1 without the mark
    for (const std::string& lab : columns)
        text += "," + cell(distinct_line(lab));
    text += ",total,max,note\r\n";
    for (const Row& row : sorted) {
        text += cell(distinct_line(row.student));
        int total = 0;
        bool graded = false;
        for (const std::string& lab : columns) {
            const auto score = row.scores.find(lab);
            text += ',';
            if (score != row.scores.end() && score->second) {
                text += std::to_string(*score->second);
                total += *score->second;
                graded = true;
            }
        }
        text += "," + (graded ? std::to_string(total) : "") + "," + std::to_string(row.max) + "," +
                cell(visible_line(row.note)) + "\r\n";
    }
    return text;
}

} // namespace report
