#include "formats.hpp"

#include "helpers.hpp"
#include "report/shown_cases.hpp"
#include "report/text.hpp"
#include "report/times.hpp"
#include "report/version.hpp"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

using helpers::has;
using helpers::what_of;
using nlohmann::json;
using report::Case;
using report::Result;
using report::Status;
using report::Submission;

namespace formats {

std::vector<std::string> hostile_texts() {
    using namespace std::string_literals;
    // In pieces, because editors and linters object to complete right-to-left texts.
    const std::string backwards = "abc\xE2\x80"s + '\xAE' + "txt.exe\xE2\x81"s + '\xA6' + "x";
    const std::string c1_control = "\xC2\x9B"s + "2J";
    const std::string invisible = "a\xE2\x80\x8B"s + "b\xEF\xBB\xBF" + "c\xC2\xAD\xE2\x81\xA0";
    const std::string full_width = "\xEF\xBC\x9D"s + "1+1";
    const std::string overlong =
        "\xC0\xAF\xE0\x80\xAF\xF0\x80\x80\xAF overlong \xC0\xBC"s + "script\xC0\xBE";
    return {
        "<script>alert(1)</script>",
        "</pre></article><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "' style='position:fixed",
        "</title><style>* { display: none }</style>",
        "]]><b>bold</b><![CDATA[",
        "--> <!-- <?xml ?> <!DOCTYPE x>",
        "&lt;b&gt; &amp; &#60;i&#62; &nbsp;",
        "```\n# not a heading\n```",
        "````````\nmore\n````````",
        "~~~\nmore\n~~~",
        "a | b || c \\| d \\\\| e",
        "|---|---|",
        "\\",
        "[click](https://evil.example) ![image](//evil.example/x.png)",
        "[x]: https://evil.example",
        "see www.evil.example, WWW.evil.example and https://evil.example/?a=b",
        "@everyone @some/team a.b@evil.example #12 owner/repo#12 GH-12",
        "*bold* _it_ ~~gone~~ # heading",
        "- item\n> quote\n    code\n1. one\n====",
        "$x^2$ :smile:",
        "::error::x",
        "  ::error file=a::x",
        "\n::stop-commands::token\n::add-mask::e",
        "\xC2\xA0\xE3\x80\x80::set-output name=a::b",
        "\r::error::x\r\n::warning::y",
        ":::error::x",
        "##[error]x",
        "text ###[command]x ##[[",
        "\xC2\x85::notice::x\xE2\x80\xA8::notice::y",
        "a\rb\r\nc\n\rd",
        "a\0b"s,
        "\x07\b\x7F\x0C\x0B",
        "\x1B[31mred\x1B[0m \x1B]0;title\x07 " + c1_control,
        backwards,
        invisible,
        "\xF3\xA0\x81\x81 tag \xEF\xBF\xBE \xEF\xB7\x90",
        "\x80\xBF lone",
        overlong,
        "\xED\xA0\x80 surrogate \xF4\x90\x80\x80\xFF\xFE",
        "cut off \xE2\x82",
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd|' /C calc'!A0",
        " \t =1+1",
        full_width,
        "x;=1+1; \"+2",
        "'=1",
        "a,b",
        "say \"hello\", \"\"",
        "one\r\n=two\r\n",
        "",
        " ",
        std::string(1 << 20, '<'),
        std::string(1 << 18, '\x1B'),
        std::string(1 << 20, '`'),
        "x\n" + std::string(300, '`') + "\n# a heading\n![image](http://evil.example)\n",
        "x\n " + std::string(300, '~') + "\n# a heading\n<img src=x>\n",
        std::string(1 << 18, '\xFF'),
        std::string(1 << 20, '\n'),
    };
}

Case case_of(const std::string& name, Status status, int score, int max_score,
             const std::string& message) {
    Case one;
    one.name = name;
    one.status = status;
    one.score = score;
    one.max_score = max_score;
    one.message = message;
    return one;
}

Result some_result(const std::string& lab) {
    Result result;
    result.lab = lab;
    result.title = "Sums";
    result.seed = 0xFFFFFFFFFFFFFFFFU;
    result.device = "a device";
    result.protection = "a sandbox";
    result.cases = {case_of("passes", Status::pass, 3, 3),
                    case_of("fails", Status::fail, 1, 4, "wrong <here> & \"there\"\nand more"),
                    case_of("error", Status::error, 0, 5, "no answer"),
                    case_of("inconclusive", Status::inconclusive, 2, 2, "noise"),
                    case_of("blocked", Status::blocked, 0, 6, "see above"),
                    case_of("skipped", Status::skipped, 0, 0, "no such device"),
                    case_of("skipped too", Status::skipped, 0, 1, "not selected")};
    Case& fails = result.cases[1];
    fails.hint = "look twice\nand then again";
    fails.file = "kernels/sum.cl";
    fails.line = 12;
    fails.seconds = 0.25;
    fails.output = "printed ]]> <b>\n";
    fails.launches = {{"sum", {4096, 2, 1}, {64, 1, 1}, 256, 1234}};
    report::Timing timing;
    timing.name = "passes";
    timing.elements = 1000;
    timing.nanoseconds = 5.5e6;
    timing.baseline = "copy";
    timing.ratio = 1.25;
    timing.ratio_low = 1;
    timing.ratio_high = 2;
    timing.rounds = 11;
    result.timings = {timing};
    result.findings = {{"data-race", "kernels/sum.cl", 7, "two work-items", 9}};
    fails.trace = R"(<svg viewBox="0 0 9 9"><rect width="9" height="9"></rect></svg>)";
    result.needs = {{"sum", "additions", 70}};
    std::string code;
    for (int line = 1; line <= 20; ++line)
        code += "line " + std::to_string(line) + " of <sum>;\n";
    result.sources = {{"kernels/sum.cl", code}};
    result.work.resize(1);
    result.work[0].kernel = "sum";
    result.work[0].additions = 77;
    return result;
}

Submission some_submission() {
    Submission submission;
    submission.student = "ada";
    submission.protection = "a sandbox";
    submission.remarks = {"labs/lab1/extra.cpp was not taken: the lab has no such file"};
    submission.labs = {some_result("lab1"), some_result("lab2"), Result()};
    submission.labs[2].lab = "lab3";
    submission.labs[2].reason = "labs/lab3/sum.cpp does not compile";
    return submission;
}

Submission submission_of(const std::string& text) {
    Submission submission = some_submission();
    const std::string part = text.substr(0, 5000); // a few texts of a megabyte are enough
    submission.student = submission.protection = part;
    submission.remarks = {text, "x" + part};
    submission.labs[2].reason = text;
    for (Result& lab : submission.labs) {
        lab.lab = lab.title = lab.device = lab.protection = part;
        for (Case& one : lab.cases) {
            one.name = one.message = one.hint = one.file = one.output = one.trace = part;
            one.launches = {{part, {1, 1, 1}, {0, 0, 0}, 0, 0}};
        }
        for (report::Timing& timing : lab.timings)
            timing.name = timing.baseline = part;
        for (report::Finding& finding : lab.findings)
            finding.kind = finding.file = finding.message = part;
        for (wire::WorkCounts& work : lab.work)
            work.kernel = part;
        for (report::Need& need : lab.needs)
            need.kernel = need.count = part;
        for (report::Source& source : lab.sources)
            source.file = source.text = part;
    }
    Case& fails = submission.labs[0].cases[1];
    fails.name = fails.message = fails.hint = fails.file = fails.output = fails.trace = text;
    return submission;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

bool is_utf8(const std::string& text) {
    try {
        (void)json(text).dump();
        return true;
    } catch (const json::exception&) {
        return false;
    }
}

std::string first_command(const std::string& text) {
    const std::vector<std::string> blanks{" ",           "\t",       "\v",           "\f",
                                          "\xC2\xA0",    "\xC2\x85", "\xE3\x80\x80", "\xE2\x80\xA8",
                                          "\xEF\xBB\xBF"};
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        if (has(line, "##["))
            return line;
        bool trimmed = true;
        while (trimmed) {
            trimmed = false;
            for (const std::string& blank : blanks) {
                if (line.starts_with(blank)) {
                    line.erase(0, blank.size());
                    trimmed = true;
                }
            }
        }
        if (line.starts_with("::"))
            return line;
    }
    return {};
}

std::string unseen_character(const std::string& text) {
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == '\x7F')
            return "control character " + std::to_string(static_cast<int>(c));
    }
    const std::vector<std::string> unseen{"\xC2\x9B",
                                          "\xC2\x85",
                                          "\xC2\xAD",
                                          std::string("\xE2\x80") + '\xAE',
                                          std::string("\xE2\x81") + '\xA6',
                                          "\xE2\x80\x8B",
                                          "\xE2\x80\xA8",
                                          "\xE2\x81\xA0",
                                          "\xEF\xBB\xBF",
                                          "\xEF\xBF\xBE",
                                          "\xEF\xB7\x90",
                                          "\xF3\xA0\x81\x81"};
    for (const std::string& one : unseen) {
        if (has(text, one))
            return report::distinct_line(one);
    }
    return {};
}

} // namespace formats

using formats::case_of;
using formats::first_command;
using formats::hostile_texts;
using formats::is_utf8;
using formats::some_result;
using formats::some_submission;
using formats::submission_of;
using formats::unseen_character;

namespace {

/// Draws results in which every part occurs.
class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}

    std::uint64_t below(std::uint64_t end) { return engine_() % end; }
    std::uint64_t any() { return engine_() >> below(64); }

    double number() {
        for (;;) {
            const std::uint64_t bits = engine_();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            if (std::isfinite(value))
                return below(4) == 0 ? std::floor(std::fmod(value, 1e6)) : value;
        }
    }

    std::string text() {
        static const std::vector<std::string> pieces{"a",
                                                     "Z",
                                                     "\n",
                                                     "\t",
                                                     "\"",
                                                     "\\",
                                                     "/",
                                                     "::",
                                                     "\r",
                                                     "<",
                                                     "\xC3\xA4",
                                                     "\xE2\x82\xAC",
                                                     "\xF0\x9F\x98\x80",
                                                     "]",
                                                     "\x7F",
                                                     "{",
                                                     "1",
                                                     " ",
                                                     "##[",
                                                     "\xE2\x80\xA8",
                                                     "\x1B",
                                                     ":",
                                                     "null"};
        std::string result;
        for (std::uint64_t left = below(12); left != 0; --left)
            result += pieces[below(pieces.size())];
        return below(20) == 0 ? result + std::string(1, '\0') : result;
    }

    Result result() {
        Result result;
        result.lab = text();
        result.title = text();
        result.seed = any();
        result.device = text();
        result.protection = text();
        result.reason = text();
        result.harness_failed = below(2) == 0;
        for (std::uint64_t left = below(5); left != 0; --left)
            result.cases.push_back(one_case());
        for (std::uint64_t left = below(4); left != 0; --left)
            result.findings.push_back({text(), text(), line(), text(), line()});
        for (std::uint64_t i = below(4); i != 0; --i) {
            report::Timing timing{text() + std::to_string(i), // their names distinguish them
                                  any(),
                                  number(),
                                  number(),
                                  number(),
                                  text(),
                                  number(),
                                  number(),
                                  number(),
                                  number(),
                                  line()};
            result.timings.push_back(timing);
        }
        for (std::uint64_t i = below(4); i != 0; --i) {
            wire::WorkCounts work;
            work.kernel = text() + std::to_string(i);
            for (const wire::WorkCount& count : wire::work_counts)
                work.*count.value = any();
            result.work.push_back(work);
            result.needs.push_back({work.kernel, "additions", any()});
            result.sources.push_back({text() + std::to_string(i), text()});
        }
        return result;
    }

  private:
    int line() {
        const std::uint64_t kind = below(8);
        return kind == 0   ? std::numeric_limits<int>::max()
               : kind == 1 ? std::numeric_limits<int>::min()
                           : static_cast<int>(below(100));
    }

    Case one_case() {
        Case one;
        one.name = text();
        one.status = static_cast<Status>(below(6));
        one.max_score = static_cast<int>(below(20));
        one.score = static_cast<int>(below(static_cast<std::uint64_t>(one.max_score) + 1));
        one.message = text();
        one.hint = text();
        one.file = text();
        one.line = line();
        one.seconds = number();
        one.output = text();
        one.trace = text();
        one.finding = text();
        one.follows = text();
        one.guess = text();
        one.not_implemented = below(2) == 0;
        for (std::uint64_t left = below(3); left != 0; --left)
            one.launches.push_back(
                {text(), {any(), any(), any()}, {any(), any(), any()}, any(), any()});
        return one;
    }

    std::mt19937_64 engine_;
};

bool same(const wire::Launch& a, const wire::Launch& b) {
    return a.kernel == b.kernel && a.global_size == b.global_size &&
           a.work_group_size == b.work_group_size && a.local_memory == b.local_memory &&
           a.nanoseconds == b.nanoseconds;
}

bool same(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

template <class Item> bool same(const std::vector<Item>& a, const std::vector<Item>& b);

bool same(const Case& a, const Case& b) {
    return a.name == b.name && a.status == b.status && a.score == b.score &&
           a.max_score == b.max_score && a.message == b.message && a.hint == b.hint &&
           a.file == b.file && a.line == b.line && same(a.seconds, b.seconds) &&
           a.output == b.output && a.finding == b.finding && a.follows == b.follows &&
           a.guess == b.guess && a.not_implemented == b.not_implemented &&
           same(a.launches, b.launches) && a.trace == b.trace;
}

bool same(const report::Finding& a, const report::Finding& b) {
    return a.kind == b.kind && a.file == b.file && a.line == b.line && a.message == b.message &&
           a.other_line == b.other_line;
}

bool same(const report::Need& a, const report::Need& b) {
    return a.kernel == b.kernel && a.count == b.count && a.value == b.value;
}

bool same(const report::Source& a, const report::Source& b) {
    return a.file == b.file && a.text == b.text;
}

bool same(const report::Timing& a, const report::Timing& b) {
    return a.name == b.name && a.elements == b.elements && same(a.nanoseconds, b.nanoseconds) &&
           same(a.wall_nanoseconds, b.wall_nanoseconds) &&
           same(a.bytes_per_second, b.bytes_per_second) && a.baseline == b.baseline &&
           same(a.ratio, b.ratio) && same(a.ratio_low, b.ratio_low) &&
           same(a.ratio_high, b.ratio_high) && same(a.bandwidth_fraction, b.bandwidth_fraction) &&
           a.rounds == b.rounds;
}

bool same(const wire::WorkCounts& a, const wire::WorkCounts& b) {
    return a.kernel == b.kernel &&
           std::all_of(wire::work_counts.begin(), wire::work_counts.end(),
                       [&](const auto& count) { return a.*count.value == b.*count.value; });
}

bool same(const Result& a, const Result& b) {
    return a.lab == b.lab && a.title == b.title && a.seed == b.seed && a.device == b.device &&
           a.protection == b.protection && a.reason == b.reason &&
           a.harness_failed == b.harness_failed && same(a.cases, b.cases) &&
           same(a.timings, b.timings) && same(a.findings, b.findings) && same(a.work, b.work) &&
           same(a.needs, b.needs) && same(a.sources, b.sources);
}

template <class Item> bool same(const std::vector<Item>& a, const std::vector<Item>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Item& x, const Item& y) { return same(x, y); });
}

/// The error of result_from_json for `text`; "" if it accepts it.
std::string complaint(const std::string& text) {
    return what_of<std::runtime_error>([&] { (void)report::result_from_json(text); });
}

/// The error of result_from_json after `change` to the JSON of some_result.
std::string complaint_after(const std::function<void(json&)>& change) {
    json changed = json::parse(report::to_json(some_result("lab1")));
    change(changed);
    return complaint(changed.dump());
}

/// Calls `look` with every string in `value`, keys included.
void each_text(const json& value, const std::function<void(const std::string&)>& look) {
    if (value.is_string())
        look(value.get<std::string>());
    if (value.is_structured()) {
        for (const auto& [key, inner] : value.items()) {
            look(key);
            each_text(inner, look);
        }
    }
}

/// A submission of one lab with `count` cases that fail, each with `text` in every place.
Submission failing(std::size_t count, const std::string& text) {
    Submission submission;
    Result lab;
    lab.lab = "lab1";
    Case one = case_of(text, Status::fail, 0, 1, text);
    one.hint = one.output = one.file = text;
    lab.cases.assign(count, one);
    submission.labs = {lab};
    return submission;
}

/// The points that the Classroom reporter sends: the sum of the scores.
int sent_points(const json& classroom) {
    int points = 0;
    for (const json& test : classroom.at("tests"))
        points += test.at("score").get<int>();
    return points;
}

/// The points in its table: the share of tests that passed, times all points (its
/// src/helpers/test-helpers.js, getTestScore).
double shown_points(const json& classroom) {
    const json& tests = classroom.at("tests");
    const auto passed =
        std::ranges::count_if(tests, [](const json& test) { return test.at("status") == "pass"; });
    return static_cast<double>(passed) / static_cast<double>(tests.size()) *
           classroom.at("max_score").get<double>();
}

std::size_t base64_size(const std::string& text) { return (text.size() + 2) / 3 * 4; }

} // namespace

TEST_CASE("results survive a round trip through JSON") {
    const auto seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        const Result result = random.result();
        const std::string text = report::to_json(result);
        const Result back = report::result_from_json(text);
        REQUIRE(same(back, result));
        REQUIRE(report::to_json(back) == text);
    }
}

TEST_CASE("submissions survive a round trip through JSON") {
    const auto seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    for (int round = 0; round < 50; ++round) {
        CAPTURE(round);
        Submission submission{random.text(), random.text(), {}, {}};
        for (auto left = random.below(3); left != 0; --left)
            submission.remarks.push_back(random.text());
        for (auto left = random.below(4); left != 0; --left)
            submission.labs.push_back(random.result());
        const std::string text = report::to_json(submission);
        const Submission back = report::submission_from_json(text);
        REQUIRE(back.student == submission.student);
        REQUIRE(back.protection == submission.protection);
        REQUIRE(back.remarks == submission.remarks);
        REQUIRE(same(back.labs, submission.labs));
        REQUIRE(report::to_json(back) == text);
    }
}

TEST_CASE("JSON has the protection and the reason if there are any") {
    Result result = some_result("lab1");
    result.protection.clear();
    const std::string without = report::to_json(result);
    CHECK_FALSE(has(without, "protection"));
    CHECK_FALSE(has(without, "reason"));
    result.protection = "a sandbox";
    result.reason = "the time was up";
    const json parsed = json::parse(report::to_json(result));
    CHECK(parsed.at("protection") == "a sandbox");
    CHECK(parsed.at("reason") == "the time was up");
}

TEST_CASE("numbers that are not finite are read back as NaN") {
    Result result = some_result("lab1");
    result.cases[0].seconds = std::numeric_limits<double>::infinity();
    result.timings[0].ratio = std::numeric_limits<double>::quiet_NaN();
    const Result back = report::result_from_json(report::to_json(result));
    CHECK(std::isnan(back.cases[0].seconds));
    CHECK(std::isnan(back.timings[0].ratio));
}

TEST_CASE("malformed results are rejected with a reason") {
    CHECK(complaint(report::to_json(some_result("lab1"))).empty());
    CHECK(has(complaint(""), "empty"));
    CHECK(has(complaint("not JSON"), "it is not JSON"));
    CHECK(has(complaint("null"), "it is not an object"));
    CHECK(has(complaint("{}"), "schema is missing"));
    CHECK(has(complaint(std::string(1000000, '[')), "not JSON"));
    CHECK(
        has(complaint(std::string(100000, '[') + std::string(100000, ']')), "it is not an object"));
    const std::string whole = report::to_json(some_result("lab1"));
    CHECK(has(complaint(whole.substr(0, whole.size() / 2)), "not JSON"));
    CHECK(has(complaint("{}"), "rerun the grader"));

    CHECK(has(complaint_after([](json& j) { j["schema"] = "opencl-labs/result/v2"; }),
              "schema is \"opencl-labs/result/v2\", not \"opencl-labs/result/v1\""));
    CHECK(has(complaint_after([](json& j) { j["lab"] = 3; }), "lab is not a string"));
    CHECK(has(complaint_after([](json& j) { j["seed"] = -1; }), "seed is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["seed"] = 1.5; }), "seed is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["reason"] = nullptr; }), "reason is not a string"));
    CHECK(has(complaint_after([](json& j) { j["cases"] = "none"; }), "cases is not an array"));
    CHECK(has(complaint_after([](json& j) { j["cases"][2].erase("message"); }),
              "cases[2].message is missing"));
    CHECK(has(complaint_after([](json& j) { j["cases"][2]["status"] = "passed\n::x"; }),
              "cases[2].status is not a status: \"passed\\n::x\""));
    CHECK(has(complaint_after([](json& j) { j["cases"][0]["score"] = true; }),
              "cases[0].score is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["cases"][0]["score"] = nullptr; }),
              "cases[0].score is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["cases"][0]["score"] = 4; }),
              "cases[0].score is more than max_score"));
    CHECK(has(complaint_after([](json& j) { j["cases"][0]["score"] = -1; }), "cases[0].score"));
    CHECK(has(complaint_after([](json& j) { j["cases"][0]["line"] = 0xFFFFFFFFFFFFFFFFU; }),
              "cases[0].line is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["cases"][0]["seconds"] = "1"; }),
              "cases[0].seconds is not a number"));
    CHECK(has(complaint_after([](json& j) { j["cases"][1]["launches"][0]["global_size"] = {1}; }),
              "cases[1].launches[0].global_size does not have three dimensions"));
    CHECK(
        has(complaint_after([](json& j) { j["cases"][1]["launches"][0]["global_size"][1] = "x"; }),
            "cases[1].launches[0].global_size[1] is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["score"] = 7; }), "score is not the sum 6"));
    CHECK(has(complaint_after([](json& j) { j["score"] = 6.0; }), "score is not the sum 6"));
    CHECK(has(complaint_after([](json& j) { j.erase("max_score"); }), "max_score is missing"));
    CHECK(has(complaint_after([](json& j) { j["findings"][0] = 1; }),
              "findings[0] is not an object"));
    CHECK(
        has(complaint_after([](json& j) { j["work"] = json::array(); }), "work is not an object"));
    CHECK(has(complaint_after([](json& j) { j["findings"][0]["other_line"] = "9"; }),
              "findings[0].other_line is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["needs"]["sum"]["additions"] = -1; }),
              "needs.sum.additions is not a whole number"));
    CHECK(has(complaint_after([](json& j) { j["sources"]["kernels/sum.cl"] = 1; }),
              "sources.kernels/sum.cl is not a string"));
    CHECK(has(complaint_after([](json& j) { j["work"]["sum"].erase("groups"); }),
              "work.sum.groups is missing"));
    CHECK(has(complaint_after([](json& j) { j["timing"]["passes"]["ratio"] = "1"; }),
              "timing.passes.ratio is not a number"));
}

TEST_CASE("malformed submissions are rejected with a reason") {
    const auto complaint_of = [](const std::function<void(json&)>& change) {
        json changed = json::parse(report::to_json(some_submission()));
        change(changed);
        return what_of<std::runtime_error>(
            [&] { (void)report::submission_from_json(changed.dump()); });
    };
    CHECK(complaint_of([](json& /*unused*/) {}).empty());
    CHECK(has(complaint_of([](json& j) { j.erase("student"); }), "student is missing"));
    CHECK(has(complaint_of([](json& j) { j["remarks"][0] = 1; }), "remarks[0] is not a string"));
    CHECK(has(complaint_of([](json& j) { j["score"] = 13; }), "score is not the sum 12"));
    CHECK(has(complaint_of([](json& j) { j["labs"][1]["cases"][0]["score"] = "3"; }),
              "labs[1].cases[0].score is not a whole number"));
    CHECK(has(complaint_of([](json& j) { j["schema"] = "opencl-labs/result/v1"; }), "schema"));
}

TEST_CASE("the JSON of a submission has its totals and its labs") {
    const json parsed = json::parse(report::to_json(some_submission()));
    CHECK(parsed.at("schema") == "opencl-labs/submission/v1");
    CHECK(parsed.at("version") == report::version);
    CHECK(parsed.at("labs").at(0).at("version") == report::version);
    CHECK(parsed.at("student") == "ada");
    CHECK(parsed.at("protection") == "a sandbox");
    CHECK(parsed.at("score") == 12);
    CHECK(parsed.at("max_score") == 42);
    CHECK(parsed.at("remarks").size() == 1);
    REQUIRE(parsed.at("labs").size() == 3);
    CHECK(parsed.at("labs").at(1).at("schema") == "opencl-labs/result/v1");
    CHECK(parsed.at("labs").at(2).at("reason") == "labs/lab3/sum.cpp does not compile");
    CHECK(some_submission().score() == 12);
    CHECK(some_submission().max_score() == 42);
    CHECK(Submission().score() == 0);
}

TEST_CASE("invisible characters are made visible") {
    using report::visible;
    using report::visible_line;
    using namespace std::string_literals;
    const std::string umlauts = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\\";
    CHECK(visible(umlauts) == umlauts);
    CHECK(visible("a\0\x1B\x7F\tb\n"s) == "a\\x00\\x1B\\x7F\tb\n");
    CHECK(visible("a\r\nb\rc") == "a\nb\\rc");
    CHECK(visible("\xC2\x9B\xE2\x80"s + '\xAE' + "\xEF\xBB\xBF") == "\\u{9B}\\u{202E}\\u{FEFF}");
    CHECK(visible("\xC0\xAF\xED\xA0\x80\xE2\x82") == "\\xC0\\xAF\\xED\\xA0\\x80\\xE2\\x82");
    CHECK(visible("\xF4\x8F\xBF\xBD\xF4\x90\x80\x80") == "\\u{10FFFD}\\xF4\\x90\\x80\\x80");
    CHECK(visible("\xEF\xBF\xBD") == "\xEF\xBF\xBD");
    CHECK(visible_line("a\n\tb\r\n") == "a\\n\\tb\\r\\n");
    CHECK(report::distinct_line("\\n\n") == "\\\\n\\n");
}

TEST_CASE("texts are cut between characters, and say how much is missing") {
    using report::visible;
    CHECK(visible("abcdef", 6) == "abcdef");
    CHECK(visible("abcdef", 5) == "abcde\n... 1 bytes more");
    CHECK(visible("abcd\xE2\x82\xAC", 6) == "abcd\n... 3 bytes more");
    CHECK(visible("ab\x1B"
                  "c",
                  5) == "ab\n... 2 bytes more"); // not half an escape
    CHECK(report::visible_line("abc", 2) == "ab ... 1 bytes more");
    CHECK(visible("x", 0) == "\n... 1 bytes more");
    CHECK(visible("", 0).empty());
}

TEST_CASE("texts contain no commands") {
    using report::without_commands;
    CHECK(without_commands("::error::x") == ": :error::x");
    CHECK(without_commands("a\n \t::b::\nstd::c ::d") == "a\n \t: :b::\nstd::c ::d");
    CHECK(without_commands("##[error]###[x") == "## [error]### [x");
    CHECK(without_commands("::##[") == ": :## [");
    CHECK(without_commands("::x\n##[y", report::marks_in_markup) == "&#58;:x\n##&#91;y");
    CHECK(without_commands("\xC2\xA0::x") == "\xC2\xA0: :x");
    CHECK(without_commands("").empty());
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        CHECK(first_command(without_commands(report::visible(text))).empty());
    }
    CHECK(first_command("x\n \xC2\xA0::a") == "::a"); // the test's own search finds them
    CHECK(first_command("a##[b") == "a##[b");
    CHECK(unseen_character(std::string("a\xE2\x80") + '\xAE') == "\\u{202E}");
}

TEST_CASE("every service gets valid JSON without commands, whatever a submission contains") {
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const Submission submission = submission_of(text);
        const report::Classroom50 environment{text, text, text, text, text, text, text, text, text};
        for (const std::string& formatted :
             {report::to_classroom(submission), report::to_classroom50(submission, environment),
              report::to_gradescope(submission), report::to_json(submission)}) {
            REQUIRE(is_utf8(formatted));
            CHECK(json::accept(formatted));
            CHECK(first_command(formatted).empty());
        }
        const auto look = [](const std::string& inner) {
            CHECK(unseen_character(inner).empty());
            CHECK(inner.size() < 30000);
        };
        each_text(json::parse(report::to_classroom(submission)), look);
        each_text(json::parse(report::to_classroom50(submission)), look);
        each_text(json::parse(report::to_gradescope(submission)), look);
    }
}

TEST_CASE("every service gets the points, whatever a submission contains") {
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const Submission submission = submission_of(text);
        const auto sum = [](const json& tests, const char* key) {
            std::int64_t total = 0;
            for (const json& test : tests) {
                REQUIRE(test.at(key).is_number_integer());
                total += test.at(key).get<int>();
            }
            return total;
        };
        const json classroom = json::parse(report::to_classroom(submission));
        CHECK(sum(classroom.at("tests"), "score") == 12);
        CHECK(classroom.at("max_score") == 42);
        const json classroom50 = json::parse(report::to_classroom50(submission));
        CHECK(sum(classroom50.at("tests"), "score") == 12);
        CHECK(sum(classroom50.at("tests"), "max-score") == 42);
        const json gradescope = json::parse(report::to_gradescope(submission));
        CHECK(sum(gradescope.at("tests"), "score") == 12);
        CHECK(sum(gradescope.at("tests"), "max_score") == 42);
        CHECK(gradescope.at("score") == 12);
    }
}

TEST_CASE("the Classroom reporter prints no command and no line that a student forged") {
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const json parsed = json::parse(report::to_classroom(submission_of(text)));
        for (const json& test : parsed.at("tests")) {
            const std::string name = test.at("name");
            CHECK_FALSE(has(name, "\n"));
            CHECK(first_command(name).empty());
            CHECK(first_command(test.at("message")).empty());
            CHECK(first_command(test.at("filename")).empty());
            CHECK(test.at("line_no") == 0);
        }
    }
}

TEST_CASE("the Classroom reporter has a word for every status") {
    Submission submission = some_submission();
    for (Result& lab : submission.labs) {
        for (Case& one : lab.cases) {
            one.max_score = 1;
            one.score = one.status == Status::pass || one.status == Status::inconclusive ? 1 : 0;
        }
    }
    const json parsed = json::parse(report::to_classroom(submission));
    CHECK(parsed.at("version") == 1);
    CHECK(parsed.at("status") == "fail");
    const json& tests = parsed.at("tests");
    REQUIRE(tests.size() == 14);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < 7; ++i)
        words.push_back(tests[i].at("status"));
    CHECK(words ==
          std::vector<std::string>{"pass", "fail", "error", "pass", "fail", "error", "error"});
    CHECK(tests[1].at("name") == "lab1: fails");
    CHECK(tests[8].at("name") == "lab2: fails");
    CHECK(tests[1].at("score") == 0);
    CHECK(tests[1].at("filename") == "kernels/sum.cl");
    CHECK(tests[1].at("message") == "wrong <here> & \"there\"\nand more\nin kernels/sum.cl:12\n"
                                    "hint: look twice\nand then again\n"
                                    "your code printed:\nprinted ]]> <b>\n");

    submission.labs.erase(submission.labs.begin(), submission.labs.begin() + 2);
    const json unrun = json::parse(report::to_classroom(submission)).at("tests");
    REQUIRE(unrun.size() == 1);
    CHECK(unrun[0].at("status") == "error");
    CHECK(unrun[0].at("score") == 0);
    CHECK(unrun[0].at("message") == "labs/lab3/sum.cpp does not compile");
}

TEST_CASE("the Classroom reporter's table shows the points that it reports") {
    const auto names = [](const Submission& submission) {
        const json parsed = json::parse(report::to_classroom(submission));
        CHECK(shown_points(parsed) == doctest::Approx(sent_points(parsed)));
        CHECK(sent_points(parsed) == submission.score());
        CHECK(parsed.at("max_score") == submission.max_score());
        std::vector<std::string> names;
        for (const json& test : parsed.at("tests"))
            names.push_back(test.at("name").get<std::string>() + " " +
                            test.at("status").get<std::string>());
        return names;
    };
    Submission submission;
    submission.labs.resize(1);
    submission.labs[0].lab = "lab1";
    std::vector<Case>& cases = submission.labs[0].cases;
    cases = {case_of("a", Status::pass, 1, 1), case_of("b", Status::fail, 0, 2, "wrong")};
    CHECK(names(submission) ==
          std::vector<std::string>{"lab1: a pass", "lab1: b (1/2) fail", "lab1: b (2/2) fail"});
    CHECK(json::parse(report::to_classroom(submission)).at("tests")[1].at("message") == "wrong");
    CHECK(json::parse(report::to_classroom(submission)).at("tests")[2].at("message") == "");

    cases = {case_of("a", Status::pass, 10, 10), case_of("b", Status::blocked, 0, 20)};
    CHECK(names(submission).size() == 3);
    cases[0].score = 5; // not in our cases, but possible in other labs
    CHECK(names(submission).size() == 6);

    // Cases without points are left out, as long as there are others.
    cases = {case_of("a", Status::pass, 3, 3), case_of("b", Status::fail, 0, 0)};
    CHECK(names(submission) == std::vector<std::string>{"lab1: a pass"});
    CHECK(json::parse(report::to_classroom(submission)).at("status") == "pass");
    cases.erase(cases.begin());
    CHECK(names(submission) == std::vector<std::string>{"lab1: b fail"});
    CHECK(json::parse(report::to_classroom(submission)).at("status") == "fail");

    const auto seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 100; ++round) {
        cases.resize(1 + random() % 60);
        for (Case& one : cases) {
            one.max_score = static_cast<int>(random() % 12);
            one.status = random() % 2 == 0 ? Status::pass : Status::fail;
            one.score = one.status == Status::pass ? one.max_score : 0;
        }
        (void)names(submission);
    }
}

TEST_CASE("the Classroom reporter's status is the worst one") {
    const auto status = [](const std::vector<Case>& cases) {
        Submission submission;
        submission.labs.resize(1);
        submission.labs[0].cases = cases;
        return json::parse(report::to_classroom(submission)).at("status").get<std::string>();
    };
    const Case pass = case_of("a", Status::pass, 1, 1);
    const Case skipped = case_of("b", Status::skipped, 0, 0);
    CHECK(status({pass, skipped, case_of("c", Status::inconclusive, 1, 1)}) == "pass");
    CHECK(status({pass, case_of("c", Status::error, 0, 1)}) == "error");
    CHECK(status({case_of("c", Status::error, 0, 1), case_of("d", Status::fail, 0, 1)}) == "fail");
    CHECK(status({pass, case_of("d", Status::blocked, 0, 1)}) == "fail");
    CHECK(status({pass, case_of("d", Status::skipped, 0, 1)}) == "error");
    CHECK(status({skipped, skipped}) == "error"); // a run without a verdict must show
    CHECK(status({}) == "error");
}

TEST_CASE("the Classroom reporter always has at least one test") {
    const json none = json::parse(report::to_classroom({}));
    CHECK(none.at("status") == "error");
    CHECK(none.at("max_score") == 0);
    REQUIRE(none.at("tests").size() == 1);
    CHECK(none.at("tests").at(0).at("score") == 0);
    CHECK(has(none.at("tests").at(0).at("message"), "no lab was graded"));
    Submission empty;
    empty.labs.resize(2);
    CHECK(json::parse(report::to_classroom(empty)).at("tests").size() == 2);
}

TEST_CASE("the Classroom reporter's variable is never too long") {
    const auto fits = [](const Submission& submission) {
        const std::string text = report::to_classroom(submission);
        CHECK(base64_size(text) + std::string("LAB1_RESULTS=").size() <= 131071);
        json parsed = json::parse(text);
        CHECK(sent_points(parsed) == submission.score());
        CHECK(parsed.at("max_score") == submission.max_score());
        return parsed;
    };
    const std::string long_text(20000, 'x');
    const json few = fits(failing(3, long_text)); // as much as fits
    CHECK(few.dump().size() > 30000);
    CHECK(has(few.at("tests").at(0).at("message"),
              std::string(8192, 'x') + "\n... 11808 bytes more"));
    const json many = fits(failing(100, long_text));
    REQUIRE(many.at("tests").size() == 100);
    CHECK(has(many.at("tests").at(99).at("message"), "bytes more"));
    CHECK(many.dump().size() > 40000);
    const json quoted = fits(failing(50, std::string(20000, '"')));
    CHECK(quoted.at("tests").size() == 50);
    for (std::size_t size = 7700; size <= 8192; size += 20) { // just before the limit, and after it
        Submission submission = failing(12, "x");
        for (Case& one : submission.labs[0].cases) {
            one.message.assign(size, 'x');
            one.hint.clear();
        }
        CHECK(fits(submission).at("tests").size() == 12);
    }
    Submission crowd = failing(2000, long_text.substr(0, 1000));
    for (std::size_t i = 0; i < 500; ++i)
        crowd.labs[0].cases[i].score = 1;
    const json folded = fits(crowd);
    CHECK(shown_points(folded) == sent_points(folded));
    REQUIRE(folded.at("tests").size() == 4);
    CHECK(folded.at("tests").at(0).at("name") == "all labs (1/4)");
    CHECK(folded.at("tests").at(1).at("status") == "fail");
    CHECK(has(folded.at("tests").at(1).at("message"), "see report.html for each case"));
    crowd.labs[0].cases[0].score = 0; // 499 of 2000
    CHECK(fits(crowd).at("tests").size() == 1);
    Submission labs;
    labs.labs.resize(5000);
    labs.labs[7].cases = {case_of("a", Status::pass, 2, 2)};
    CHECK(fits(labs).at("tests").size() == 1);
}

TEST_CASE("the results for Classroom 50 match its schema") {
    const json parsed = json::parse(report::to_classroom50(
        some_submission(), {"class", "task", "individual", "somebody", "submit/1", "commit",
                            "release", "review", "date"}));
    CHECK(parsed.at("schema") == "classroom50/result/v1");
    CHECK(parsed.at("classroom") == "class");
    CHECK(parsed.at("assignment") == "task");
    CHECK(parsed.at("assignment_type") == "individual");
    CHECK(parsed.at("owner") == "somebody");
    CHECK(parsed.at("submission") == "submit/1");
    CHECK(parsed.at("commit") == "commit");
    CHECK(parsed.at("release") == "release");
    CHECK(parsed.at("review") == "review");
    CHECK(parsed.at("datetime") == "date");
    CHECK(parsed.at("score") == 12);
    CHECK(parsed.at("max-score") == 42);
    const json& tests = parsed.at("tests");
    REQUIRE(tests.size() == 15);
    std::vector<bool> passed;
    for (std::size_t i = 0; i < 7; ++i)
        passed.push_back(tests[i].at("passed").get<bool>());
    CHECK(passed == std::vector<bool>{true, false, false, true, false, true, false});
    CHECK(tests[1] ==
          json{{"test-name", "lab1: fails"}, {"passed", false}, {"score", 1}, {"max-score", 4}});
    CHECK(json::parse(report::to_classroom50({})).at("tests") == json::array());
    CHECK(json::parse(report::to_classroom50({})).at("datetime") == "");
}

TEST_CASE("the results for Gradescope match its format") {
    const json parsed = json::parse(report::to_gradescope(some_submission()));
    CHECK(parsed.at("score") == 12);
    CHECK(parsed.at("output_format") == "text");
    CHECK(parsed.at("stdout_visibility") == "hidden");
    CHECK(parsed.at("output") ==
          "12 of 42 points\ngraded by " + report::product() +
              "\nlabs/lab1/extra.cpp was not taken: the lab has no such file\n"
              "lab3: labs/lab3/sum.cpp does not compile");
    const json& tests = parsed.at("tests");
    REQUIRE(tests.size() == 15);
    std::vector<std::string> statuses;
    for (std::size_t i = 0; i < 7; ++i)
        statuses.push_back(tests[i].at("status"));
    CHECK(statuses == std::vector<std::string>{"passed", "failed", "failed", "passed", "failed",
                                               "passed", "failed"});
    CHECK(tests[8].at("name") == "lab2: fails");
    CHECK(tests[8].at("number") == "2.2");
    CHECK(tests[8].at("tags") == json{"lab2"});
    CHECK(tests[1].at("max_score") == 4);
    CHECK(has(tests[1].at("output"), "in kernels/sum.cl:12\nhint: look twice\nand then again"));
    CHECK(tests[3].at("output") == "inconclusive: noise");
    CHECK(tests[4].at("output") == "blocked: see above");
    CHECK(tests[0].at("output") == "");
    const json none = json::parse(report::to_gradescope({}));
    CHECK(none.at("score") == 0);
    CHECK(none.at("tests") == json::array());
    CHECK(has(none.at("output"), "no lab was graded"));
}

TEST_CASE("pages call a case without points optional") {
    Submission submission = some_submission();
    report::Case& one = submission.labs[0].cases.front();
    one.score = one.max_score = 0;
    CHECK(has(report::to_markdown(submission), " | optional |\n"));
    CHECK(has(report::to_html(submission), ">optional<"));
}

TEST_CASE("every format with room for it says that a lab is late") {
    Submission submission = some_submission();
    submission.labs[0].due = "2026-12-04T23:59:00+01:00";
    CHECK(report::remark_on(submission.labs[0]).empty());
    const auto remark_after = [](std::int64_t seconds, const std::string& reason = "") {
        Result lab;
        lab.seconds_late = seconds;
        lab.reason = reason;
        return report::remark_on(lab);
    };
    CHECK(remark_after(59).empty());
    CHECK(remark_after(60) == "graded 1 min after it was due");
    CHECK(remark_after(7500) == "graded 2 h 5 min after it was due");
    CHECK(remark_after(259200) == "graded 3 days after it was due");
    CHECK(remark_after(60, "no file") == "graded 1 min after it was due; no file");
    submission.labs[0].seconds_late = 7500;
    for (const std::string& formatted :
         {report::to_gradescope(submission), report::to_markdown(submission),
          report::to_html(submission)})
        CHECK(has(formatted, "graded 2 h 5 min after it was due"));
    const Submission read = report::submission_from_json(report::to_json(submission));
    CHECK(read.labs[0].due == submission.labs[0].due);
    CHECK(read.labs[0].seconds_late == 7500);
    CHECK(read.labs[1].due.empty());
}

TEST_CASE("the graded revision is shown, separately from lateness") {
    Submission submission = some_submission();
    Result& lab = submission.labs[0];
    CHECK(report::revision_of(lab).empty());
    lab.due = "2026-12-04T23:59:00+01:00";
    lab.seconds_late = 7500;
    lab.revision = {"1a2b3c", "2026-12-05T02:04:00+01:00", true};
    CHECK(report::remark_on(lab) == "pushed 2 h 5 min after it was due");
    CHECK(report::revision_of(lab) == "commit 1a2b3c, pushed 2026-12-05T02:04:00+01:00");
    for (const std::string& formatted :
         {report::to_markdown(submission), report::to_html(submission)})
        CHECK(has(formatted, "1a2b3c, pushed"));
    CHECK((report::submission_from_json(report::to_json(submission)).labs[0].revision ==
           lab.revision));
    lab.revision.pushed = false;
    CHECK(report::remark_on(lab) == "committed 2 h 5 min after it was due");
    CHECK(has(report::revision_of(lab), "according to the commit"));
    CHECK((report::submission_from_json(report::to_json(submission)).labs[0].revision ==
           lab.revision));
    lab.revision = {"\x1B[2J", "", false};
    CHECK(report::revision_of(lab) == "commit \\x1B[2J");
}

TEST_CASE("times are seconds since 1970, and an invalid time has none") {
    CHECK(report::seconds_of("2026-12-04T23:59:00+01:00") == 1796425140);
    CHECK(report::seconds_of("2026-12-04T22:59:00Z") == 1796425140);
    CHECK(report::seconds_of("2026-12-04T22:59:00+0000") == 1796425140);
    CHECK(report::seconds_of("2026-12-04T14:59:00.365935-08:00") == 1796425140);
    for (const std::string text : {"", "now", "2026-12-04", "2026-12-04T23:59:00",
                                   "2026-12-04T23:59:00 +01:00", "2026-12-04T23:59:00+01:00x"}) {
        CAPTURE(text);
        CHECK_FALSE(report::seconds_of(text).has_value());
    }
}

TEST_CASE("every format with room for it shows the version") {
    const Submission submission = some_submission();
    for (const std::string& formatted :
         {report::to_gradescope(submission), report::to_junit(submission),
          report::to_junit(submission.labs[0]), report::to_markdown(submission),
          report::to_html(submission)})
        CHECK(has(formatted, report::product()));
}

TEST_CASE("only JSON has the complete output of student code") {
    Submission submission = failing(1, "short");
    submission.labs[0].cases[0].output = std::string(10000, 'x') + "end";
    CHECK(has(report::to_json(submission), std::string(10000, 'x') + "end"));
    for (const std::string& formatted :
         {report::to_classroom(submission), report::to_gradescope(submission),
          report::to_junit(submission), report::to_markdown(submission),
          report::to_html(submission)}) {
        CHECK(has(formatted, std::string(4096, 'x')));
        CHECK_FALSE(has(formatted, std::string(4097, 'x')));
        CHECK(has(formatted, "... 5907 bytes more"));
        CHECK_FALSE(has(formatted, "end\n"));
    }
}

TEST_CASE("the cases of a lab that could not run say why") {
    Result lab;
    lab.lab = "lab1";
    lab.reason = "the time was up";
    lab.cases = {case_of("a", Status::error, 0, 3),
                 case_of("b", Status::error, 0, 1, "of its own")};
    const std::vector<Case> shown = report::shown_cases(lab);
    REQUIRE(shown.size() == 2);
    CHECK(shown[0].message == "the time was up");
    CHECK(shown[1].message == "of its own");
    lab.cases.clear();
    REQUIRE(report::shown_cases(lab).size() == 1);
    CHECK(report::shown_cases(lab)[0].message == "the time was up");
    CHECK(report::shown_cases(lab)[0].status == Status::error);
    lab.reason.clear();
    CHECK(report::shown_cases(lab)[0].message == "no case was run");
}
