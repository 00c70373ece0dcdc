#include "grader/course_settings.hpp"
#include "../corpora.hpp"
#include "grader/unusable.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>
#include <string>

using grader::LabSettings;
using grader::ShowHints;
using helpers::has;
using helpers::what_of;

namespace {

LabSettings settings_from(const std::string& text, const std::string& lab) {
    return grader::settings_from(text)[lab];
}

std::string complaint(const std::string& text) {
    try {
        grader::settings_from(text);
    } catch (const grader::Unusable& error) {
        return error.what();
    }
    return "";
}

/// The complaint about `value` as the settings of a lab; "" if there is none.
std::string complaint_about(const std::string& value) {
    return complaint(R"({"lab2": )" + value + "}");
}

report::Result some_result() {
    report::Result result;
    result.lab = "lab1";
    for (const char* name : {"sum", "minimum"}) {
        report::Case one;
        one.name = name;
        one.max_score = 2;
        one.hints = {"think", "think twice", "the answer"};
        result.cases.push_back(one);
    }
    return result;
}

} // namespace

TEST_CASE("a lab without settings has none") {
    for (const char* text : {"{}", R"({"lab2": {"hints": "never", "points": {"sum": 3}}})",
                             R"({"lab1": {"due": "", "points": {}}})"}) {
        const LabSettings settings = settings_from(text, "lab1");
        CHECK_FALSE(settings.due.has_value());
        CHECK(settings.hints == ShowHints::asked);
        CHECK(settings.points.empty());
    }
    CHECK(grader::read_settings("/no/such/folder").empty());
}

TEST_CASE("settings apply to their own lab") {
    const LabSettings settings = settings_from(
        R"({"lab1": {"due": "2026-12-04T23:59:00+01:00", "hints": "always", "points": {"sum": 0}},
            "lab10": {"hints": "never"}})",
        "lab1");
    CHECK(settings_from(R"({"lab1": {"hints": "never"}})", "lab1").hint_levels == 0);
    CHECK(settings_from(R"({"lab1": {"hint_levels": 2}})", "lab1").hint_levels == 2);
    CHECK(settings.hint_levels > 1000); // all of them
    CHECK(settings.due == 1796425140);  // date -d 2026-12-04T23:59:00+01:00 +%s
    CHECK(settings.due_text == "2026-12-04T23:59:00+01:00");
    CHECK(settings.hints == ShowHints::always);
    CHECK(settings.points.at("sum") == 0);
    CHECK(settings_from(R"({"lab1": {"due": "2026-12-04T22:59:00Z"}})", "lab1").due == 1796425140);
}

TEST_CASE("invalid settings are rejected by name") {
    CHECK(has(complaint("{"), "labs/course.json: it is not JSON"));
    CHECK(has(complaint("[]"), "it must be an object"));
    CHECK(has(complaint(R"({"Lab1": {}})"), "\"Lab1\" is not a lab"));
    CHECK(has(complaint_about("3"), "lab2 must be an object"));
    CHECK(has(complaint_about(R"({"hint": "never"})"),
              "lab2 has \"hint\", which is unknown; use due"));
    CHECK(has(complaint_about(R"({"hints": "no"})"), "must be asked, always or never"));
    CHECK(has(complaint_about(R"({"hints": true})"), "hints of lab2 must be a string"));
    for (const char* levels : {"0", "-1", "1.5", "\"2\"", "null"})
        CHECK(has(complaint_about(R"({"hint_levels": )" + std::string(levels) + "}"),
                  "hint_levels of lab2 must be a whole number, 1 or greater"));
    for (const char* due : {"tomorrow", "2026-12-04", "2026-12-04T23:59:00", "2026-13-04T23:59:00Z",
                            "2026-02-30T23:59:00Z", "2026-12-04T23:59:00Z."})
        CHECK(has(complaint_about(R"({"due": ")" + std::string(due) + "\"}"), "write it as in"));
    for (const char* points : {"-1", "1.5", "1001", "\"2\"", "null"})
        CHECK(has(complaint_about(R"({"points": {"sum": )" + std::string(points) + "}}"),
                  "points of \"sum\" in lab2"));
    CHECK(has(complaint_about(R"({"points": 3})"), "points of lab2 must look like"));
    CHECK(has(complaint(R"({"lab1": {}, "lab2": {}, "lab1": {}})"), "\"lab1\" appears twice"));
    CHECK(has(complaint_about(R"({"due": "", "hints": "asked", "due": ""})"),
              "\"due\" appears twice"));
    CHECK(complaint(R"({"lab1": {"due": ""}, "lab2": {"due": ""}})").empty());
}

TEST_CASE("settings must be in a file, and for labs of the course") {
    const helpers::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path("labs/lab1"));
    const grader::CourseSettings settings = grader::settings_from(R"({"lab1": {}, "lab7": {}})");
    CHECK(has(what_of<grader::Unusable>([&] { require_labs_of(settings, folder.path("")); }),
              "there is no lab7"));
    std::filesystem::create_directories(folder.path("labs/lab7"));
    CHECK_NOTHROW(require_labs_of(settings, folder.path("")));
    std::filesystem::create_directories(folder.path("labs/course.json"));
    CHECK(has(what_of<grader::Unusable>([&] { grader::read_settings(folder.path("")); }),
              "must be a file"));
}

TEST_CASE("settings change points, hints and lateness") {
    LabSettings settings;
    settings.points = {{"sum", 5}};
    settings.hint_levels = 0;
    settings.due = 1000;
    settings.due_text = "then";
    report::Result result = some_result();
    grader::apply(settings, 900, result);
    CHECK(result.max_score() == 7);
    CHECK(result.cases[0].hint.empty());
    CHECK(result.due == "then");
    CHECK(result.seconds_late == 0);
    settings.hint_levels = 2;
    result.cases[1].hints = {"think", "think twice", "the answer"};
    grader::apply(settings, 900, result);
    CHECK(result.cases[1].hints == std::vector<std::string>{"think", "think twice"});
    CHECK(result.cases[1].hint == "think");
    grader::apply(settings, 1060, result);
    CHECK(result.seconds_late == 60);
    settings.points = {{"product", 5}};
    CHECK_THROWS_WITH_AS(
        grader::apply(settings, 0, result),
        "labs/course.json: lab1 has no case \"product\"; ./harness -ltc lists them",
        grader::Unusable);
}

TEST_CASE("the course's shipped settings change nothing") {
    for (const std::string& lab : corpora::labs(".")) {
        const LabSettings settings = grader::read_settings(".")[lab];
        CHECK(settings.due_text.empty());
        CHECK(settings.points.empty());
        CHECK(settings.hints == ShowHints::asked);
    }
}
