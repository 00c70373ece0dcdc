#include "helpers.hpp"
#include "report/brief_terminal.hpp"
#include "report/result.hpp"
#include "report/status_line.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"
#include "report/wrap.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <ext/stdio_filebuf.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <pty.h>
#include <pugixml.hpp>
#include <regex>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

using helpers::has;
using helpers::times;
using report::Case;
using report::Result;
using report::Status;

namespace {

Case case_of(const std::string& name, Status status, int score, int max_score,
             const std::string& message = "") {
    Case one;
    one.name = name;
    one.status = status;
    one.score = score;
    one.max_score = max_score;
    one.message = message;
    return one;
}

Case not_selected(const std::string& name, int max_score) {
    Case one = case_of(name, Status::skipped, 0, max_score, "not selected");
    one.progress = Case::Progress::not_selected;
    return one;
}

/// A result with a case of each status.
Result some_result() {
    Result result;
    result.lab = "lab3";
    result.title = "Sums";
    result.seed = 0xFFFFFFFFFFFFFFFFU;
    result.device = "a device";
    result.cases = {case_of("passes", Status::pass, 3, 3),
                    case_of("fails", Status::fail, 1, 4, "wrong <here> & \"there\"\nand more"),
                    case_of("error", Status::error, 0, 5, "no answer"),
                    case_of("inconclusive", Status::inconclusive, 2, 2, "noise"),
                    case_of("blocked", Status::blocked, 0, 6, "see above"),
                    case_of("skipped", Status::skipped, 0, 0, "no such device"),
                    case_of("fails too", Status::fail, 0, 1, "wrong again")};
    Case& fails = result.cases[1];
    fails.hint = "look twice";
    fails.file = "kernels/sum.cl";
    fails.line = 12;
    fails.seconds = 0.25;
    fails.output = "printed ]]> <b>\n";
    fails.launches = {{"sum", {4096, 2, 1}, {64, 1, 1}, 256, 1234}};
    report::Timing timing;
    timing.name = "passes";
    timing.elements = 1000;
    timing.nanoseconds = 5.5;
    timing.wall_nanoseconds = 5e6;
    timing.bytes_per_second = 1e9;
    timing.baseline = "copy";
    timing.ratio = 1.25;
    timing.ratio_low = 1;
    timing.ratio_high = 2;
    timing.bandwidth_fraction = 0.75;
    timing.rounds = 11;
    result.timings = {timing};
    return result;
}

/// What a terminal shows of `cases`.
std::string shown(const std::vector<Case>& cases, bool colors = false) {
    Result result;
    result.lab = "lab3";
    result.title = "Sums";
    result.seed = 77;
    result.device = "a device";
    result.cases = cases;
    std::ostringstream out;
    report::Terminal terminal(out, colors);
    terminal.begin(result);
    for (const Case& one : cases)
        terminal.show(one);
    terminal.end(result);
    return out.str();
}

/// Whether all of `text` is UTF-8.
bool is_utf8(const std::string& text) {
    try {
        (void)nlohmann::json(text).dump();
        return true;
    } catch (const nlohmann::json::exception&) {
        return false;
    }
}

} // namespace

TEST_CASE("a case that follows from another is shown after it, in one line") {
    std::vector<Case> cases{case_of("sum", Status::fail, 0, 2, "wrong sum"),
                            case_of("passes", Status::pass, 1, 1),
                            case_of("no race", Status::fail, 0, 1, "a race"),
                            case_of("bounds", Status::blocked, 0, 1, "unknown")};
    cases[0].follows = "no race";
    cases[3].follows = "no race";
    const std::string text = shown(cases);
    CHECK_FALSE(has(text, "wrong sum"));
    CHECK_FALSE(has(text, "unknown"));
    const std::size_t cause = text.find("FAIL    no race");
    const std::size_t heading =
        text.find("may fail because of \"no race\"; fix that first:\nFAIL    sum ");
    CHECK(text.find("PASS    passes") < cause);
    CHECK(cause < heading);
    REQUIRE(heading != std::string::npos);
    CHECK(heading < text.find("BLOCKED bounds"));
}

TEST_CASE("a case that follows from one that is not shown is shown in full") {
    std::vector<Case> cases{case_of("sum", Status::fail, 0, 2, "wrong sum"),
                            case_of("no race", Status::pass, 1, 1),
                            case_of("minimum", Status::fail, 0, 2, "wrong minimum")};
    cases[0].follows = "no race";
    cases[2].follows = "left out";
    CHECK(has(shown(cases), "wrong sum"));
    CHECK(has(shown(cases), "wrong minimum"));
}

TEST_CASE("scores add up") {
    const Result result = some_result();
    CHECK(result.score() == 6);
    CHECK(result.max_score() == 21);
    CHECK(Result().score() == 0);
    CHECK(Result().max_score() == 0);
}

TEST_CASE("JSON matches its schema") {
    const auto json = nlohmann::json::parse(report::to_json(some_result()));
    CHECK(json.at("schema") == "opencl-labs/result/v1");
    CHECK(json.at("lab") == "lab3");
    CHECK(json.at("title") == "Sums");
    CHECK(json.at("seed") == 0xFFFFFFFFFFFFFFFFU);
    CHECK(json.at("device") == "a device");
    CHECK(json.at("score") == 6);
    CHECK(json.at("max_score") == 21);
    CHECK(json.at("findings").is_array());
    CHECK(json.at("work").is_object());
    REQUIRE(json.at("cases").size() == 7);
    std::vector<std::string> statuses;
    for (const auto& one : json.at("cases")) {
        statuses.push_back(one.at("status"));
        for (const char* key : {"name", "message", "hint", "file", "output"})
            CHECK(one.at(key).is_string());
        for (const char* key : {"score", "max_score", "line", "seconds"})
            CHECK(one.at(key).is_number());
        CHECK(one.at("launches").is_array());
    }
    CHECK(statuses == std::vector<std::string>{"pass", "fail", "error", "inconclusive", "blocked",
                                               "skipped", "fail"});
    const auto& fails = json.at("cases").at(1);
    CHECK(fails.at("name") == "fails");
    CHECK(fails.at("score") == 1);
    CHECK(fails.at("max_score") == 4);
    CHECK(fails.at("message") == "wrong <here> & \"there\"\nand more");
    CHECK(fails.at("hint") == "look twice");
    CHECK(fails.at("file") == "kernels/sum.cl");
    CHECK(fails.at("line") == 12);
    CHECK(fails.at("seconds") == 0.25);
    CHECK(fails.at("output") == "printed ]]> <b>\n");
    REQUIRE(fails.at("launches").size() == 1);
    const auto& launch = fails.at("launches").at(0);
    CHECK(launch.at("kernel") == "sum");
    CHECK(launch.at("global_size") == nlohmann::json({4096, 2, 1}));
    CHECK(launch.at("work_group_size") == nlohmann::json({64, 1, 1}));
    CHECK(launch.at("local_memory") == 256);
    CHECK(launch.at("nanoseconds") == 1234);
}

TEST_CASE("JSON has the timings by case") {
    const auto json = nlohmann::json::parse(report::to_json(some_result()));
    REQUIRE(json.at("timing").size() == 1);
    const auto& timing = json.at("timing").at("passes");
    CHECK(timing.at("elements") == 1000);
    CHECK(timing.at("nanoseconds") == 5.5);
    CHECK(timing.at("bytes_per_second") == 1e9);
    CHECK(timing.at("wall_nanoseconds") == 5e6);
    CHECK(timing.at("baseline") == "copy");
    CHECK(timing.at("ratio") == 1.25);
    CHECK(timing.at("ratio_low") == 1);
    CHECK(timing.at("ratio_high") == 2);
    CHECK(timing.at("bandwidth_fraction") == 0.75);
    CHECK(timing.at("rounds") == 11);
}

TEST_CASE("JSON is valid for an empty result and for unusual numbers") {
    const auto empty = nlohmann::json::parse(report::to_json({}));
    CHECK(empty.at("cases") == nlohmann::json::array());
    CHECK(empty.at("timing") == nlohmann::json::object());
    CHECK(empty.at("max_score") == 0);

    Result result = some_result();
    result.cases[0].seconds = std::numeric_limits<double>::quiet_NaN();
    result.timings[0].ratio = std::numeric_limits<double>::infinity();
    CHECK(nlohmann::json::parse(report::to_json(result)).at("timing").size() == 1);
}

TEST_CASE("JSON is valid whatever student code prints") {
    Result result = some_result();
    const std::string controls("\x1B[2J\0\x07\r\n\t\x7F end", 13);
    result.cases[1].output = controls;
    result.cases[1].message = "a\xFF\xC3(\xED\xA0\x80z";
    const std::string text = report::to_json(result);
    CHECK(is_utf8(text));
    const auto one = nlohmann::json::parse(text).at("cases").at(1);
    CHECK(one.at("output") == controls);
    const std::string message = one.at("message");
    CHECK(message.front() == 'a');
    CHECK(message.back() == 'z');
    CHECK(has(message, "\xEF\xBF\xBD")); // the replacement character
}

TEST_CASE("JUnit has the right counts and texts") {
    const std::string text = report::to_junit(some_result());
    pugi::xml_document document;
    REQUIRE(document.load_string(text.c_str()));
    const auto suite = document.child("testsuites").child("testsuite");
    CHECK(std::string(suite.attribute("name").value()) == "lab3");
    CHECK(suite.attribute("tests").as_int() == 7);
    CHECK(suite.attribute("failures").as_int() == 3); // a blocked case has not passed
    CHECK(suite.attribute("errors").as_int() == 1);
    CHECK(suite.attribute("skipped").as_int() == 1);
    CHECK(suite.attribute("time").as_double() == 0.25);

    std::vector<std::string> names;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
    for (const auto one : suite.children("testcase")) {
        names.emplace_back(one.attribute("name").value());
        CHECK(std::string(one.attribute("classname").value()) == "lab3");
        failures += !one.child("failure").empty();
        errors += !one.child("error").empty();
        skipped += !one.child("skipped").empty();
    }
    CHECK(names == std::vector<std::string>{"passes", "fails", "error", "inconclusive", "blocked",
                                            "skipped", "fails too"});
    CHECK(failures == 3);
    CHECK(errors == 1);
    CHECK(skipped == 1);

    const auto fails = suite.find_child_by_attribute("testcase", "name", "fails");
    const auto failure = fails.child("failure");
    CHECK(std::string(failure.attribute("message").value()) == "wrong <here> & \"there\"");
    const std::string body = failure.child_value();
    CHECK(has(body, "wrong <here> & \"there\"\nand more"));
    CHECK(has(body, "kernels/sum.cl:12"));
    CHECK(std::string(fails.child_value("system-out")) == "printed ]]> <b>\n");
    CHECK(fails.attribute("time").as_double() == 0.25);
    const auto passes = suite.find_child_by_attribute("testcase", "name", "passes");
    CHECK(passes.first_child().empty());
}

TEST_CASE("JUnit has no characters that XML forbids") {
    Result result = some_result();
    result.cases[1].message = std::string("a\x1B[31m\0b\x01\nsecond\x0C", 18);
    result.cases[1].output = std::string("\x07ring\0\x7F\ttab\n", 12);
    result.cases[1].name = "na\x02me";
    const std::string text = report::to_junit(result);
    for (const char c : text) {
        CAPTURE(static_cast<int>(c));
        const bool allowed = static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t';
        REQUIRE(allowed);
    }
    for (int code = 0; code < 32; ++code) { // not even as a character reference
        if (code != 9 && code != 10 && code != 13) {
            CHECK_FALSE(has(text, "&#" + std::to_string(code) + ";"));
            CHECK_FALSE(has(text, "&#0" + std::to_string(code) + ";"));
        }
    }
    pugi::xml_document document;
    CHECK(document.load_string(text.c_str()));
}

TEST_CASE("JUnit is valid UTF-8 whatever student code prints") {
    Result result = some_result();
    result.cases[1].output = "a\xFF\xC3(\xED\xA0\x80z";
    CHECK(is_utf8(report::to_junit(result)));
    result = some_result();
    result.cases[1].message = "a\xFFz";
    CHECK(is_utf8(report::to_junit(result)));
}

TEST_CASE("valid UTF-8 is unchanged") {
    const std::string umlauts = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80";
    CHECK(report::printable(umlauts) == umlauts);
    CHECK(report::printable(std::string("a\0\x1B\r\n\t\x7F", 7)) == "a???\n\t?");
    CHECK(report::printable("").empty());
}

TEST_CASE("long lines are broken at blanks and indented") {
    CHECK(report::wrapped("aaa bbb ccc", 11) == "aaa bbb ccc\n");
    CHECK(report::wrapped("aaa bbb ccc", 10) == "aaa bbb\n  ccc\n");
    CHECK(report::wrapped("aaa bbb ccc\nddd", 9, "  ") == "  aaa bbb\n    ccc\n  ddd\n");
    CHECK(report::wrapped("  aaa bbb", 6) == "  aaa\n    bbb\n");
    CHECK(report::wrapped("", 10).empty());
    CHECK(report::wrapped("\n\n", 10) == "\n\n");
    // A column of a table stays a column.
    CHECK(report::wrapped("loads     12 words, 3 more", 21) ==
          "loads     12 words, 3\n          more\n");
    // A character counts once, however many bytes it takes.
    CHECK(report::wrapped("\xC3\xA4\xC3\xA4 b", 4) == "\xC3\xA4\xC3\xA4 b\n");
}

TEST_CASE("what is copied or aligned is never broken") {
    for (const char* line :
         {"  13 |             partial_sums[lid] = COMBINE(a, b);", "| printed by a student",
          "                      ^", "again: ./harness --seed 7 -tc=\"no data race\"",
          "kernels/lab1_reduction_scalar.cl:13:", " 131 |", "|"})
        CHECK(report::wrapped(line, 12) == line + std::string("\n"));
    CHECK(report::wrapped("then type: make lab1 SOLUTIONS=1 && ./harness --seed 3 twice", 20) ==
          "then type:\n  make lab1 SOLUTIONS=1 && ./harness --seed 3\n  twice\n");
    CHECK(report::wrapped("try ./harness -tc=\"no data race\" now", 20) ==
          "try\n  ./harness -tc=\"no data race\"\n  now\n");
    CHECK(report::wrapped("an open quote -tc=\"no data", 20) == "an open\n  quote -tc=\"no data\n");
    CHECK(report::wrapped("a - b and -1 or ^", 9) == "a - b and\n  -1 or ^\n");
}

TEST_CASE("a terminal shows the compiler's warnings before the cases") {
    Result result;
    result.findings = {{report::compiler_warning, "k.cl", 7, "if statement has empty body"},
                       {"data-race", "k.cl", 8, "two sides"}};
    std::ostringstream out;
    report::Terminal(out).begin(result);
    CHECK(has(out.str(), "\nk.cl:7: the compiler warns: if statement has empty body\n"));
    CHECK_FALSE(has(out.str(), "two sides"));
}

TEST_CASE("a terminal breaks long lines of all kinds") {
    std::string words;
    for (int i = 0; i < 60; ++i)
        words += "word" + std::to_string(i) + " ";
    Case fails = case_of("one", Status::fail, 0, 1, words);
    fails.hints = {words};
    fails.hint_level = 1;
    const Case skipped = case_of("two", Status::skipped, 0, 1, words);
    for (const std::size_t columns : {40, 80, 100}) {
        Result result;
        result.device = words;
        result.due = words;
        result.cases = {fails, skipped};
        std::ostringstream out;
        report::Terminal terminal(out, true, false, columns);
        terminal.begin(result);
        for (const Case& one : result.cases)
            terminal.show(one);
        terminal.end(result);
        std::istringstream lines(out.str());
        std::size_t longest = 0;
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            line = std::regex_replace(line, std::regex("\033\\[[0-9]*m"), "");
            if (!has(line, "again: ")) // a command stays whole
                CHECK(line.size() <= columns);
            longest = std::max(longest, line.size());
        }
        CHECK(longest + 7 > columns);
        CHECK(times(out.str(), "word59") == 5); // nothing is lost
    }
}

TEST_CASE("lines have 80 columns unless the environment asks for others") {
    ::unsetenv("COLUMNS"); // NOLINT(concurrency-mt-unsafe): no threads
    CHECK(report::columns_of(-1) == 80);
    for (const auto& [columns, expected] : std::vector<std::pair<const char*, std::size_t>>{
             {"120", 120}, {"3", 40}, {"", 80}, {"wide", 80}}) {
        ::setenv("COLUMNS", columns, 1); // NOLINT(concurrency-mt-unsafe): likewise
        CHECK(report::columns_of(-1) == expected);
    }
    ::unsetenv("COLUMNS"); // NOLINT(concurrency-mt-unsafe): likewise
    // The width of a narrower terminal takes precedence.
    winsize size{24, 60, 0, 0};
    int terminal = -1;
    int program = -1;
    REQUIRE(::openpty(&terminal, &program, nullptr, nullptr, &size) == 0);
    CHECK(report::columns_of(program) == 60);
    size.ws_col = 200;
    REQUIRE(::ioctl(terminal, TIOCSWINSZ, &size) == 0);
    CHECK(report::columns_of(program) == 80);
    ::close(program);
    ::close(terminal);
}

TEST_CASE("a terminal shows cases, messages and the score") {
    const std::string text = shown({case_of("first case", Status::pass, 3, 3),
                                    case_of("second case", Status::fail, 1, 4, "wrong\nat 3")});
    CHECK(has(text, "lab3"));
    CHECK(has(text, "Sums"));
    CHECK(has(text, "a device"));
    CHECK(has(text, "77"));
    CHECK(has(text, "PASS    first case"));
    CHECK(has(text, " 3 of 3\n"));
    CHECK(has(text, "FAIL    second case"));
    CHECK(has(text, " 1 of 4\n"));
    CHECK(has(text, "\n        wrong\n        at 3\n"));
    CHECK(has(text, "./harness --seed 77 -tc=\"second case\""));
    CHECK_FALSE(has(text, "-tc=\"first case\""));
    CHECK(has(text, "4 of 7 points"));
    CHECK(has(text, "1 case passed, 1 did not"));
}

TEST_CASE("a terminal has a word for every status") {
    std::ostringstream out;
    report::Terminal terminal(out, false, false, 200);
    const Result result = some_result();
    for (const Case& one : result.cases)
        terminal.show(one);
    terminal.end(result);
    for (const char* word : {"PASS", "FAIL", "ERROR", "UNSURE", "BLOCKED", "SKIPPED"}) {
        CAPTURE(std::string(word));
        CHECK(has(out.str(), word));
    }
    for (const char* message : {"noise", "see above", "no such device", "no answer"})
        CHECK(has(out.str(), message));
    CHECK(has(out.str(), "6 of 21 points"));
    CHECK(has(out.str(), "2 cases passed, 4 did not"));
    CHECK(has(out.str(), "1 unsure"));
    CHECK(has(out.str(), "1 skipped"));
}

TEST_CASE("a terminal says when every case passed") {
    const std::string text = shown({case_of("a", Status::pass, 3, 3)});
    CHECK(has(text, "3 of 3 points, every case passed"));
    CHECK_FALSE(has(text, "--hint"));
    CHECK_FALSE(has(text, "again:"));
    CHECK_FALSE(has(shown({case_of("a", Status::pass, 3, 3), case_of("b", Status::skipped, 0, 3)}),
                    "every case passed"));
}

TEST_CASE("a terminal calls cases and labs without points optional") {
    const std::string passed = shown({case_of("a", Status::pass, 0, 0)});
    CHECK(has(passed, "PASS    a"));
    CHECK(has(passed, " optional\n"));
    CHECK(has(passed, "\noptional, no points, every case passed"));
    CHECK_FALSE(has(passed, "0 of 0"));
    CHECK(has(shown({case_of("a", Status::pass, 0, 0), case_of("b", Status::fail, 0, 0)}),
              "\noptional, no points: 1 case passed, 1 did not"));
    CHECK(has(shown({case_of("a", Status::pass, 3, 3), case_of("b", Status::fail, 0, 0)}),
              "3 of 3 points: 1 case passed, 1 did not"));
}

TEST_CASE("a terminal names the next lab after a whole run that has passed") {
    Result result;
    result.cases = {case_of("a", Status::pass, 3, 3)};
    const auto end_of = [&](const std::optional<report::NextLab>& next) {
        std::ostringstream out;
        report::Terminal(out).end(result, next);
        return out.str();
    };
    const report::NextLab next{"lab4", "Scan", "running sums."};
    CHECK(has(end_of(next), "\nnext: lab4, Scan\n      You learn: running sums.\n"
                            "      Read labs/lab4/README.md, then type: make lab4 && ./harness\n"));
    CHECK(has(end_of(report::NextLab{"lab4", "", ""}), "\nnext: lab4\n      Read labs/lab4"));
    CHECK(has(end_of(std::nullopt), "That was the last lab. Well done!"));
    result.cases.push_back(not_selected("b", 1));
    CHECK_FALSE(has(end_of(next), "lab4"));
    result.cases.back() = case_of("b", Status::skipped, 0, 1, "no doubles");
    CHECK_FALSE(has(end_of(next), "lab4"));
    result.cases.back() = case_of("b", Status::fail, 0, 1, "wrong");
    CHECK_FALSE(has(end_of(next), "lab4"));
    CHECK_FALSE(has(end_of(std::nullopt), "Well done"));
}

TEST_CASE("a brief terminal shows the first failure first, and what fits on the screen") {
    Case long_one = case_of("wrong", Status::fail, 0, 1, "first line");
    for (int i = 0; i < 40; ++i)
        long_one.message += "\nmore";
    std::vector<Case> cases{case_of("passes", Status::pass, 1, 1), long_one};
    for (int i = 0; i < 30; ++i)
        cases.push_back(case_of("other " + std::to_string(i), Status::fail, 0, 1, "also wrong"));
    for (const std::size_t rows : {12, 22, 60}) {
        CAPTURE(rows);
        Result result;
        result.lab = "lab3";
        result.cases = cases;
        std::ostringstream out;
        report::BriefTerminal terminal(out, rows);
        terminal.begin(result);
        terminal.show(cases[0]);
        CHECK(out.str().empty()); // the last verdict stays on the screen
        terminal.show(cases[1]);
        CHECK(has(out.str(), "lab3  \n\nFAIL    wrong ")); // at once
        CHECK(has(out.str(), "        first line\n"));
        CHECK(has(out.str(), "        again: ./harness --seed 0 -tc=\"wrong\"\n\n"));
        for (std::size_t i = 2; i < cases.size(); ++i)
            terminal.show(cases[i]);
        terminal.end(result);
        const std::string text = out.str();
        CHECK(times(text, "\n") <= rows);
        CHECK_FALSE(has(text, "passes"));
        CHECK(times(text, "also wrong") == 0);
        CHECK(has(text, "1 of 32 points: 1 case passed, 31 did not\n"));
        const bool all_fit = rows == 60;
        CHECK(has(text, " more lines\n") != all_fit);
        CHECK(has(text, "... and "));
    }
}

TEST_CASE("a brief terminal counts the rows of lines that are wider than the screen") {
    Case one = case_of(std::string(300, 'n'), Status::fail, 0, 1, "wrong");
    for (int i = 0; i < 9; ++i)
        one.message += "\n  13 | " + std::string(100, 'x');
    Result result;
    result.cases = {one};
    std::ostringstream out;
    report::BriefTerminal terminal(out, 22, true);
    terminal.begin(result);
    terminal.show(one);
    terminal.end(result);
    std::istringstream lines(out.str());
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);) {
        line = std::regex_replace(line, std::regex("\033\\[[0-9]*m"), "");
        rows += std::max<std::size_t>(1, (line.size() + 79) / 80);
    }
    CHECK(rows <= 22);
    CHECK(has(out.str(), "0 of 1 points"));
}

TEST_CASE("a brief terminal ends like any other if all cases have passed") {
    Result result;
    result.lab = "lab3";
    result.cases = {case_of("a", Status::pass, 3, 3)};
    result.cases[0].message = "some remark";
    std::ostringstream out;
    report::BriefTerminal terminal(out, 22);
    terminal.begin(result);
    terminal.show(result.cases[0]);
    terminal.end(result, report::NextLab{"lab4", "Scan", "sums."});
    CHECK(has(out.str(), "3 of 3 points, every case passed\nnext: lab4, Scan\n"));
    CHECK_FALSE(has(out.str(), "remark"));
}

TEST_CASE("a terminal ends with why cases were skipped") {
    const std::string text = shown({case_of("a", Status::pass, 3, 3),
                                    case_of("b", Status::skipped, 0, 3, "no doubles; try --device"),
                                    case_of("c", Status::skipped, 0, 1, "no analysis; make setup"),
                                    case_of("d", Status::skipped, 0, 1, "no analysis; make setup"),
                                    not_selected("e", 1)});
    CHECK(has(text, "3 of 9 points: 1 case passed, 0 did not, 3 skipped, 1 not selected\n"
                    "2 cases skipped: no analysis; make setup\n"
                    "1 case skipped: no doubles; try --device\n"));
    CHECK(has(text, "same failure as in \"c\""));
}

TEST_CASE("filtered cases do not count as skipped") {
    const std::string text = shown({case_of("a", Status::pass, 3, 3), not_selected("b", 3)});
    CHECK(has(text, "3 of 6 points: 1 case passed, 0 did not, 1 not selected\n"));
    CHECK_FALSE(has(text, "skipped"));
}

TEST_CASE("a terminal folds repeated messages of several cases") {
    const std::string text = shown({case_of("one", Status::fail, 0, 1, "the same story"),
                                    case_of("two", Status::fail, 0, 1, "the same story"),
                                    case_of("three", Status::pass, 1, 1),
                                    case_of("four", Status::fail, 0, 1, "the same story"),
                                    case_of("five", Status::fail, 0, 1, "another story"),
                                    case_of("six", Status::fail, 0, 1, "the same story")});
    CHECK(times(text, "        the same story\n") == 2);
    CHECK(times(text, "same failure as in \"one\"") == 2);
    CHECK(times(text, "another story") == 1);
}

TEST_CASE("a terminal folds nothing under a case that it did not show") {
    CHECK_FALSE(has(shown({case_of("one", Status::fail, 0, 1)}), "the same as"));
}

TEST_CASE("a terminal shows the chosen hint") {
    Case fails = case_of("one", Status::fail, 0, 1, "wrong");
    fails.hints = {"look at the barrier\nand at the loop", "move it"};
    Case passes = case_of("two", Status::pass, 1, 1);
    passes.hints = {"never needed"};
    std::string text = shown({fails, passes});
    CHECK_FALSE(has(text, "barrier"));
    CHECK(has(text, "\nstuck? ./harness --hint\n"));
    fails.hint_level = 1;
    text = shown({fails, passes});
    CHECK(has(text, "        hint 1 of 2: look at the barrier\n        and at the loop\n"));
    CHECK(has(text, "\nstill stuck? ./harness --hint shows the next hint\n"));
    CHECK_FALSE(has(text, "move it"));
    CHECK_FALSE(has(text, "never needed"));
    fails.hint_level = 2;
    text = shown({fails, passes});
    CHECK(has(text, "        hint 2 of 2: move it\n"));
    CHECK_FALSE(has(text, "stuck?"));
    fails.hints = {"a single one"};
    fails.hint_level = 1;
    CHECK(has(shown({fails}), "        hint: a single one\n"));
    fails.hints.clear();
    fails.hint_level = 0;
    CHECK_FALSE(has(shown({fails}), "hint"));
}

TEST_CASE("a terminal folds repeated hints, but not a new hint under a folded message") {
    Case one = case_of("one", Status::fail, 0, 1, "the same story");
    one.hints = {"think"};
    one.hint_level = 1;
    Case two = one;
    two.name = "two";
    CHECK(times(shown({one, two}), "think") == 1);
    two.hints = {"think again"};
    CHECK(has(shown({one, two}), "same failure as in \"one\"\n        hint: think again\n"));
}

TEST_CASE("a terminal shows at most twelve lines of a failing case's output") {
    Case fails = case_of("one", Status::fail, 0, 1, "wrong");
    for (int i = 1; i <= 12; ++i)
        fails.output += "line " + std::to_string(i) + "\n";
    std::string text = shown({fails});
    CHECK(has(text, "your code printed:"));
    CHECK(times(text, "| line ") == 12);
    CHECK_FALSE(has(text, "more lines"));
    fails.output += "line 13\nline 14";
    text = shown({fails});
    CHECK(times(text, "| line ") == 12);
    CHECK_FALSE(has(text, "line 13"));
    CHECK(has(text, "2 more lines"));

    Case passes = case_of("two", Status::pass, 1, 1);
    passes.output = "chatter\n";
    CHECK_FALSE(has(shown({passes}), "chatter"));
}

TEST_CASE("student code cannot send control characters to the terminal") {
    Case fails = case_of("one", Status::fail, 0, 1, "wrong \x1B[2J\r\x08 text");
    fails.output = std::string("\x1B]0;title\x07 \0 \x7F\rover\n", 20);
    fails.hints = {"\x1B[1mhint"};
    fails.hint_level = 1;
    const std::string text = shown({fails});
    CHECK(has(text, "?]0;title?"));
    for (const char c : text) {
        CAPTURE(static_cast<int>(c));
        const bool printable = static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t';
        REQUIRE(printable);
        REQUIRE(c != '\x7F');
    }
}

TEST_CASE("student code cannot send control characters to the terminal in their UTF-8 forms") {
    Case fails = case_of("one", Status::fail, 0, 1, "wrong");
    fails.output = "\xC2\x9B"
                   "31m red \xC2\x9D"
                   "0;title\xC2\x9C\n"; // CSI, OSC and ST
    CHECK_FALSE(has(shown({fails}), "\xC2\x9B"));
    CHECK_FALSE(has(shown({fails}), "\xC2\x9D"));
}

TEST_CASE("colours appear on request and end where they should") {
    const std::vector<Case> cases{case_of("one", Status::pass, 1, 1),
                                  case_of("two", Status::fail, 0, 1, "wrong"),
                                  case_of("three", Status::blocked, 0, 1, "wait")};
    CHECK_FALSE(has(shown(cases), "\033"));
    const std::string text = shown(cases, true);
    CHECK(has(text, "\033[32mPASS"));
    CHECK(has(text, "\033[31mFAIL"));
    CHECK(has(text, "\033[33mBLOCKED"));
    CHECK(times(text, "\033[") == 2 * times(text, "\033[0m"));
}

TEST_CASE("a file that is not a terminal gets no colours") {
    const helpers::TemporaryFolder folder;
    const std::string path = folder.write("x", "");
    FILE* file = std::fopen(path.c_str(), "r");
    REQUIRE(file != nullptr);
    CHECK_FALSE(report::wants_colors(::fileno(file)));
    std::fclose(file);
    CHECK_FALSE(report::wants_colors(-1));
}

TEST_CASE("the status line shows what takes long, and disappears afterwards") {
    // A pipe, which this thread and the thread of the status line can share.
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    __gnu_cxx::stdio_filebuf<char> buffer(ends[1], std::ios::out);
    std::ostream out(&buffer);
    std::string text;
    const auto read_until = [&](const std::string& part) {
        std::array<char, 256> some{};
        while (!has(text, part)) {
            const ssize_t count = ::read(ends[0], some.data(), some.size());
            REQUIRE(count > 0);
            text.append(some.data(), static_cast<std::size_t>(count));
        }
    };
    {
        report::StatusLine status(out);
        status.begin("sum: every length");
        read_until(": 1 s");
        status.end();
        read_until(" \r");
        CHECK(text.starts_with("\r        sum: every length: 1 s"));
        CHECK(text.substr(text.size() - 2) == " \r");
        CHECK_FALSE(has(text, "\n"));
        text.clear();
        status.begin("quick");
        status.end();
        status.begin("minimum");
        read_until("minimum: 1 s");
        CHECK_FALSE(has(text, "quick"));
        text.clear();
    }
    read_until(" \r"); // erased, too, if it is destroyed while it shows a case
    ::close(ends[0]);
}

TEST_CASE("there is no status line without a terminal") {
    std::ostringstream out;
    report::Terminal terminal(out);
    terminal.wait_for("something long");
    CHECK(out.str().empty());
}
