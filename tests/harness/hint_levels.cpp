#include "grader/hint_levels.hpp"
#include "grader/hints.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>

using grader::HintLevels;
using report::Status;

namespace {

report::Case failing(const std::string& name, std::vector<std::string> hints) {
    report::Case one;
    one.name = name;
    one.status = Status::fail;
    one.hints = std::move(hints);
    return one;
}

/// A run in which `one` ends; returns the hint that it shows, "" for none.
std::string run(const HintLevels::Options& options, report::Case one) {
    HintLevels levels(options);
    levels.choose(one);
    report::Result result;
    result.cases = {one};
    levels.remember(result);
    return one.hint_level == 0 ? "" : one.hints.at(one.hint_level - 1);
}

} // namespace

TEST_CASE("every request shows one more hint, and the last one again") {
    const helpers::TemporaryFolder folder;
    HintLevels::Options asked;
    asked.asked = true;
    asked.file = folder.path("new/folder/lab1-hints.json");
    const report::Case one = failing("sum", {"nudge", "more", "answer"});
    CHECK(run(asked, one) == "nudge");
    CHECK(run(asked, one) == "more");
    HintLevels::Options plain = asked;
    plain.asked = false;
    CHECK(run(plain, one).empty()); // it does not count either
    CHECK(run(asked, failing("minimum", {"other"})) == "other");
    CHECK(run(asked, one) == "answer");
    CHECK(run(asked, one) == "answer");
}

TEST_CASE("the hints start over when a case has passed or fails for another reason") {
    const helpers::TemporaryFolder folder;
    HintLevels::Options asked;
    asked.asked = true;
    asked.file = folder.path("hints.json");
    const report::Case one = failing("sum", {"nudge", "more"});
    run(asked, one);
    CHECK(run(asked, one) == "more");
    report::Case passed = one;
    passed.status = Status::pass;
    CHECK(run(asked, passed).empty());
    CHECK(run(asked, one) == "nudge");
    CHECK(run(asked, failing("sum", {"another fault", "its second"})) == "another fault");
    CHECK(run(asked, one) == "nudge");
    report::Case not_run = one;
    not_run.status = Status::skipped;
    CHECK(run(asked, not_run).empty());
    CHECK(run(asked, one) == "more");
}

TEST_CASE("a level can be chosen, and the instructor limits all of them") {
    const helpers::TemporaryFolder folder;
    HintLevels::Options options;
    options.asked = true;
    options.file = folder.path("hints.json");
    const report::Case one = failing("sum", {"nudge", "more", "answer"});
    options.level = 2;
    CHECK(run(options, one) == "more");
    options.level = 9;
    CHECK(run(options, one) == "answer");
    options.most = 2;
    CHECK(run(options, one) == "more");
    options.most = 0;
    CHECK(run(options, one).empty());
}

TEST_CASE("a hint that is always shown is the first, until a student asks for more") {
    const helpers::TemporaryFolder folder;
    HintLevels::Options always;
    always.always = true;
    always.file = folder.path("hints.json");
    const report::Case one = failing("sum", {"nudge", "more", "answer"});
    CHECK(run(always, one) == "nudge");
    CHECK(run(always, one) == "nudge");
    HintLevels::Options asked = always;
    asked.asked = true;
    CHECK(run(asked, one) == "more");
    CHECK(run(always, one) == "more");
}

TEST_CASE("only failures have hints, in reports too") {
    HintLevels::Options asked;
    asked.asked = true;
    for (const Status status : {Status::blocked, Status::error, Status::skipped}) {
        report::Case one = failing("sum", {"nudge"});
        one.hint = "nudge";
        one.status = status;
        HintLevels(asked).choose(one);
        CHECK(one.hint_level == 0);
        CHECK(one.hint.empty());
    }
    report::Case one = failing("sum", {"its own", "more"});
    one.hint = "of the case";
    HintLevels(asked).choose(one);
    CHECK(one.hint == "its own");
    one.hints.clear(); // a failure without hints
    HintLevels(asked).choose(one);
    CHECK(one.hint.empty());
}

TEST_CASE("a damaged count starts over, and a missing count is no error") {
    const helpers::TemporaryFolder folder;
    HintLevels::Options asked;
    asked.asked = true;
    const report::Case one = failing("sum", {"nudge", "more"});
    for (const char* damage : {"", "{", "[]", R"({"sum": 3})", R"({"sum": {"level": "x"}})",
                               R"({"sum": {"level": 1000000, "first": 3}})"}) {
        CAPTURE(std::string(damage));
        asked.file = folder.write("hints.json", damage);
        CHECK(run(asked, one) == "nudge");
    }
    asked.file.clear();
    CHECK(run(asked, one) == "nudge");
    CHECK(run(asked, one) == "nudge");
    asked.file = "/proc/no/such/folder/hints.json";
    CHECK(run(asked, one) == "nudge");
}

TEST_CASE("every kind of finding has graded hints") {
    for (const wire::KindOfFinding& kind : wire::kinds_of_findings) {
        CAPTURE(kind.words);
        wire::Finding finding;
        finding.kind = kind.kind;
        CHECK(grader::hints_for(finding).size() >= 2);
        finding.between_groups = true;
        CHECK(grader::hints_for(finding).size() >= 2);
    }
}
