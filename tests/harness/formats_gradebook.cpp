#include "formats.hpp"
#include "helpers.hpp"
#include "report/gradebook.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <iterator>
#include <random>
#include <set>
#include <stdexcept>

using formats::first_command;
using formats::hostile_texts;
using formats::is_utf8;
using formats::unseen_character;
using report::gradebook;
using report::Row;

namespace {

using Table = std::vector<std::vector<std::string>>;

/// Reads a cell in quotes, from the quote at `at`, which ends behind the cell.
std::string read_quoted_cell(const std::string& text, std::size_t& at) {
    std::string cell;
    for (++at;; ++at) {
        if (at >= text.size())
            throw std::runtime_error("a quote is not closed");
        if (text[at] == '"' && text.compare(at, 2, "\"\"") != 0)
            break;
        at += text[at] == '"' ? 1 : 0;
        cell += text[at];
    }
    ++at;
    return cell;
}

/// The same for a cell without quotes.
std::string read_bare_cell(const std::string& text, std::size_t& at, char separator) {
    std::string cell;
    while (at < text.size() && text[at] != separator && text[at] != '\r') {
        if (text[at] == '"' || text[at] == '\n')
            throw std::runtime_error("a quote or a line feed in a bare cell");
        cell += text[at++];
    }
    return cell;
}

/// Reads CSV strictly by RFC 4180, with `separator`. Throws std::runtime_error for any violation.
Table read_csv(const std::string& text, char separator = ',') {
    Table table;
    const std::string mark = "\xEF\xBB\xBF";
    std::size_t at = text.starts_with(mark) ? mark.size() : 0;
    while (at < text.size()) {
        std::vector<std::string> row;
        for (bool more = true; more;) {
            const bool quoted = at < text.size() && text[at] == '"';
            row.push_back(quoted ? read_quoted_cell(text, at)
                                 : read_bare_cell(text, at, separator));
            more = at < text.size() && text[at] == separator;
            at += more ? 1 : 0;
        }
        if (text.compare(at, 2, "\r\n") != 0)
            throw std::runtime_error("a line does not end in CR LF");
        at += 2;
        table.push_back(row);
    }
    return table;
}

/// The cells for a program that separates at semicolons and accepts quotes only at a cell's start.
std::vector<std::string> cells_between_semicolons(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool begins = i == 0 || (line[i - 1] == ';' && cells.back().empty());
        if (line[i] == '"' && (begins || quoted))
            quoted = !quoted;
        else if (line[i] == ';' && !quoted)
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    return cells;
}

bool is_formula(const std::string& cell) {
    const std::size_t begin = report::after_blanks(cell, 0);
    const std::vector<std::string> signs{
        "=",           "+", "-", "@", "\t", "\r", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
        "\xEF\xBC\xA0"};
    return std::ranges::any_of(signs, [&](const std::string& sign) {
        return cell.compare(begin, sign.size(), sign) == 0;
    });
}

Row row_of(const std::string& student, const std::string& note = "") {
    return {student, {{"lab1", 3}}, 10, note};
}

/// The name that a gradebook shows for `student`.
std::string shown(const std::string& student) {
    return read_csv(gradebook({row_of(student)}, {"lab1"})).at(1).at(0);
}

} // namespace

TEST_CASE("a gradebook has one row per student and one column per lab") {
    const std::string text =
        gradebook({{"grace", {{"lab1", 3}, {"lab2", std::nullopt}, {"lab10", 4}}, 60, "late"},
                   {"ada", {{"lab2", 0}}, 60, ""},
                   {"Zoe", {}, 60, "nothing handed in"}},
                  {"lab10", "lab2", "lab1"});
    CHECK(text == "\xEF\xBB\xBFstudent,lab1,lab2,lab10,total,max,note\r\n"
                  "Zoe,,,,,60,nothing handed in\r\n"
                  "ada,,0,,0,60,\r\n"
                  "grace,3,,4,7,60,late\r\n");
    CHECK(gradebook({}, {}) == "\xEF\xBB\xBFstudent,total,max,note\r\n");
    CHECK(gradebook({}, {"lab1", "lab1"}) == "\xEF\xBB\xBFstudent,lab1,total,max,note\r\n");
}

TEST_CASE("labs are in natural order, even those that appear in only one row") {
    const Table table = read_csv(
        gradebook({{"ada", {{"lab3", 1}}, 1, ""}},
                  {"lab10", "lab9", "lab1", "lab01", "lab1b", "lab1a10", "lab1a9", "extra"}));
    CHECK(table.at(0) == std::vector<std::string>{"student", "extra", "lab01", "lab1", "lab1a9",
                                                  "lab1a10", "lab1b", "lab3", "lab9", "lab10",
                                                  "total", "max", "note"});
    CHECK(table.at(1).at(7) == "1");
    CHECK(table.at(1).at(10) == "1");
}

TEST_CASE("students are sorted by the bytes of their names") {
    const Table table = read_csv(
        gradebook({row_of("\xC3\xA9"), row_of("b"), row_of("B"), row_of("a b"), row_of("a")}, {}));
    std::vector<std::string> names;
    for (std::size_t i = 1; i < table.size(); ++i)
        names.push_back(table[i][0]);
    CHECK(names == std::vector<std::string>{"B", "a", "a b", "b", "\xC3\xA9"});
}

TEST_CASE("a gradebook has no formulas, commands or broken rows, whatever the names are") {
    std::vector<Row> rows;
    for (const std::string& text : hostile_texts())
        rows.push_back({text, {{"lab1", 3}, {text, 4}}, 10, text});
    const std::string whole = gradebook(rows, {"lab1"});
    CHECK(first_command(whole).empty());
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const std::string csv = gradebook({{text, {{"lab1", 3}, {text, 4}}, 10, text}}, {"lab1"});
        REQUIRE(is_utf8(csv));
        CHECK(first_command(csv).empty());
        std::string characters = csv.substr(3); // without the byte order mark
        std::erase(characters, '\r');
        CHECK(unseen_character(characters).empty());
        CHECK(helpers::times(csv, "\n") == 2);
        const Table table = read_csv(csv);
        REQUIRE(table.size() == 2);
        for (const auto& row : table) {
            CHECK(row.size() == 6);
            for (const std::string& cell : row)
                CHECK_FALSE(is_formula(cell));
        }
        for (const std::string& cell : cells_between_semicolons(csv.substr(csv.find('\n') + 1)))
            CHECK_FALSE(is_formula(cell));
    }
}

TEST_CASE("names stay distinct and readable") {
    CHECK(shown("Ada Lovelace") == "Ada Lovelace");
    CHECK(shown("\xC3\xA9mile") == "\xC3\xA9mile");
    CHECK(shown("'t Hooft") == "'t Hooft");
    CHECK(shown("a-b+c=d@e") == "a-b+c=d@e");
    CHECK(shown("a,b \"c\"") == "a,b \"c\"");
    CHECK(shown("=1") == "'=1");
    CHECK(shown("'=1") == "''=1");
    CHECK(shown("  =1") == "'  =1");
    CHECK(shown("\t=1") == "\\t=1"); // no longer a blank
    CHECK(shown("\xC2\xA0@x") == "'\xC2\xA0@x");
    CHECK(shown("\xEF\xBC\x9D"
                "1") == "'\xEF\xBC\x9D"
                        "1");
    CHECK(shown("x;=1") == "x;'=1");
    CHECK(shown("::error::") == "\\x3A:error::");
    CHECK(shown("##[error]") == "##\\x5Berror]");
    CHECK(shown("a\\b") == "a\\\\b");
    CHECK(shown("a\xFF\n") == "a\\xFF\\n");

    std::vector<std::string> names = hostile_texts();
    for (const char* name :
         {"\xFF", "\\xFF", "\\\\xFF", "\xFE",   "\n",  "\\n",           "\\\\n", "=",       "'=",
          "''=",  "::",    ": :",     "\\x3A:", "'::", "##[",           "## [",  "##\\x5B", ";=",
          ";'=",  "x;=",   "x;'=",    "x",      "x ",  "\xE2\x80\x8Bx", "\"=",   "\"'=",    "'\"="})
        names.emplace_back(name);
    std::set<std::string> different;
    for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
        CAPTURE(name.substr(0, 100));
        CHECK(different.insert(shown(name)).second);
    }
}

TEST_CASE("random names stay distinct and never become formulas") {
    const auto seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<std::string> pieces{"=",  "'",   "\"",   ";",    " ",    ":",
                                          "::", "##[", "\\",   "\\n",  "a",    ",",
                                          "\n", "\r",  "\xFF", "\xC2", "\xA0", "@"};
    std::set<std::string> names;
    for (int i = 0; i < 20000; ++i) {
        std::string name;
        for (auto left = random() % 6; left != 0; --left)
            name += pieces[random() % pieces.size()];
        names.insert(name);
    }
    std::vector<Row> rows;
    std::ranges::transform(names, std::back_inserter(rows),
                           [](const std::string& name) { return row_of(name); });
    const std::string csv = gradebook(rows, {"lab1"});
    CHECK(first_command(csv).empty());
    const Table table = read_csv(csv);
    REQUIRE(table.size() == names.size() + 1);
    std::set<std::string> different;
    for (const auto& row : table) {
        REQUIRE(row.size() == 5);
        CAPTURE(row[0]);
        REQUIRE(different.insert(row[0]).second);
        REQUIRE_FALSE(is_formula(row[0]));
    }
}

TEST_CASE("the gradebook tests' own checks detect errors") {
    CHECK(is_formula("=1"));
    CHECK(is_formula(" \xE3\x80\x80@x"));
    CHECK(is_formula("\xEF\xBC\x8B"
                     "1"));
    CHECK_FALSE(is_formula("'=1"));
    CHECK_THROWS(read_csv("a,b\n"));
    CHECK_THROWS(read_csv("a\"b\r\n"));
    CHECK_THROWS(read_csv("\"a\r\n"));
    CHECK_THROWS(read_csv("\"a\"b\r\n"));
    CHECK(read_csv("\"a\"\"\r\n,\",\r\n") == Table{{"a\"\r\n,", ""}});
    CHECK(cells_between_semicolons("a;\"b;\"\"c\";d").size() == 3);
}
