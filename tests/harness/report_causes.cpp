#include "formats.hpp"
#include "report/causes.hpp"

#include <doctest/doctest.h>

using formats::case_of;
using report::Case;
using report::Causes;
using report::causes_of;
using report::Finding;
using report::Status;

namespace {

Case at(Case one, const std::string& file, int line, const std::string& finding = "") {
    one.file = file;
    one.line = line;
    one.finding = finding;
    return one;
}

Case following(Case one, const std::string& follows) {
    one.follows = follows;
    return one;
}

const std::vector<Finding> race{{"data-race", "k.cl", 13, "two sides", 15}};

} // namespace

TEST_CASE("cases that name the same finding have one cause, described by the case about it") {
    const Case sum = case_of("sum", Status::fail, 0, 1, "wrong sum");
    const std::vector<Case> cases{
        case_of("fine", Status::pass, 1, 1),
        case_of("host", Status::fail, 0, 1, "wrong size"),
        following(at(sum, "k.cl", 13, "data-race"), "no race"),
        at(case_of("no race", Status::fail, 0, 2, "two sides"), "k.cl", 13, "data-race"),
        at(case_of("another line", Status::fail, 0, 1, "two"), "k.cl", 14, "data-race"),
    };
    const Causes causes = causes_of(cases, race);
    REQUIRE(causes.causes.size() == 3);
    CHECK(causes.causes[0].finding == race.data()); // findings come first
    CHECK(causes.causes[0].cases == std::vector<const Case*>{&cases[3], &cases[2]});
    CHECK(causes.causes[0].lost_points() == 3);
    CHECK(title_of(causes.causes[0]) == "Data race at k.cl:13");
    CHECK(causes.causes[1].cases == std::vector<const Case*>{&cases[1]});
    CHECK(title_of(causes.causes[1]) == "wrong size");
    CHECK(causes.causes[2].cases == std::vector<const Case*>{&cases[4]});
    CHECK(causes.unassigned.empty());
}

TEST_CASE("a case that follows from another one has its cause, before or after it") {
    std::vector<Case> cases{
        case_of("sum", Status::fail, 0, 1, "wrong sum for n = 2"),
        case_of("other", Status::fail, 0, 1, "wrong length"),
        at(case_of("no race", Status::fail, 0, 2, "two sides"), "k.cl", 13, "data-race")};
    CHECK(causes_of(cases, race).causes.size() == 3);
    cases[0].follows = "no race";
    const Causes causes = causes_of(cases, race);
    REQUIRE(causes.causes.size() == 2);
    CHECK(causes.causes[0].cases == std::vector<const Case*>{&cases[2], &cases.front()});
    cases[0].follows = "no such case";
    CHECK(causes_of(cases, race).causes.size() == 3);
}

TEST_CASE("findings of other kinds at the same line are other causes") {
    std::vector<Finding> findings = race;
    findings.push_back({"out-of-bounds", "k.cl", 13, "too far", 0});
    const std::vector<Case> cases{
        at(case_of("a", Status::fail, 0, 1, "two sides"), "k.cl", 13, "data-race"),
        at(case_of("b", Status::fail, 0, 1, "too far"), "k.cl", 13, "out-of-bounds"),
        at(case_of("c", Status::fail, 0, 1, "two other sides"), "k.cl", 13, "data-race")};
    const Causes causes = causes_of(cases, findings);
    REQUIRE(causes.causes.size() == 2);
    CHECK(causes.causes[0].cases == std::vector<const Case*>{cases.data(), &cases[2]});
}

TEST_CASE("the words of a message do not make a cause") {
    const std::vector<Case> cases{
        at(case_of("a", Status::fail, 0, 1, "wrong sum"), "k.cl", 13, "data-race"),
        at(case_of("b", Status::fail, 0, 1, "k.cl:13: data race: two sides"), "k.cl", 13),
        case_of("c", Status::blocked, 0, 1, "no verdict until small inputs pass:\nwrong sum")};
    const Causes causes = causes_of(cases, race);
    REQUIRE(causes.causes.size() == 2);
    CHECK(causes.causes[0].finding == race.data());
    CHECK(causes.causes[1].finding == nullptr);
    CHECK(causes.unassigned == std::vector<const Case*>{&cases[2]});
}

TEST_CASE("cases with the same message have one cause, cases without a message do not") {
    const std::vector<Case> cases{
        case_of("a", Status::error, 0, 1, "no answer"), case_of("b", Status::fail, 0, 1, ""),
        case_of("c", Status::fail, 0, 1, "no answer"), case_of("d", Status::fail, 0, 1, "")};
    const Causes causes = causes_of(cases, {});
    REQUIRE(causes.causes.size() == 3);
    CHECK(causes.causes[0].cases == std::vector<const Case*>{cases.data(), &cases[2]});
    CHECK(title_of(causes.causes[1]) == "b: fail");
}

TEST_CASE("blocked cases follow the case that they name") {
    std::vector<Case> cases{
        at(case_of("build", Status::fail, 0, 1, "k.cl does not compile\nk.cl:3: no"), "k.cl", 3),
        case_of("sum", Status::fail, 0, 1, "wrong sum"),
        following(case_of("max", Status::blocked, 0, 1, "k.cl does not compile"), "build"),
        following(case_of("race", Status::blocked, 0, 1, "no verdict"), "sum"),
        case_of("bounds", Status::blocked, 0, 1, "no verdict: a mistake ended the analysis early")};
    Causes causes = causes_of(cases, {});
    REQUIRE(causes.causes.size() == 2);
    CHECK(causes.causes[0].following == std::vector<const Case*>{&cases[2]});
    CHECK(causes.causes[1].following == std::vector<const Case*>{&cases[3]});
    CHECK(causes.unassigned == std::vector<const Case*>{&cases[4]});
    CHECK(causes.causes[1].lost_points() == 2);

    cases[0].status = Status::pass; // one cause is left, so all follow from it
    causes = causes_of(cases, {});
    REQUIRE(causes.causes.size() == 1);
    CHECK(causes.causes[0].following.size() == 3);

    cases[1].status = Status::skipped;
    causes = causes_of(cases, {});
    CHECK(causes.causes.empty());
    CHECK(causes.unassigned.size() == 3);
}

TEST_CASE("lines of a source count from 1") {
    const report::Source source{"k.cl", "one\ntwo\n\nfour"};
    CHECK(line_of(source, 1) == "one");
    CHECK(line_of(source, 2) == "two");
    CHECK(line_of(source, 3).empty());
    CHECK(line_of(source, 4) == "four");
    for (const int none : {-1, 0, 5, 2147483647})
        CHECK(line_of(source, none).empty());
    const std::vector<report::Source> sources{source};
    CHECK(report::source_of(sources, "k.cl") == sources.data());
    CHECK(report::source_of(sources, "l.cl") == nullptr);
}
