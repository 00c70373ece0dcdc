#include "formats.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using formats::case_of;
using formats::lines_of;
using helpers::has;
using report::Status;
using report::Submission;
using report::to_annotations;

namespace {

/// A submission of a lab with `count` cases that failed; every second one has a line.
Submission failing(int count) {
    report::Result lab;
    lab.lab = "lab1";
    for (int i = 0; i < count; ++i) {
        report::Case one = case_of("case " + std::to_string(i), Status::fail, 0, 1, "wrong");
        one.file = "kernels/a.cl";
        one.line = i % 2 == 0 ? 0 : i;
        one.message = "wrong" + std::string(static_cast<std::size_t>(i % 2 == 0 ? i : 0), '!');
        lab.cases.push_back(one);
    }
    Submission submission;
    submission.labs = {lab};
    return submission;
}

/// The names of the properties of an error command, as in "file,line,title"; "" for other commands.
/// Not a regular expression, because std::regex needs stack for each character that it matches.
std::string names_of_properties(const std::string& command) {
    const std::string begin = "::error ";
    const std::size_t end = command.find("::", begin.size());
    if (!command.starts_with(begin) || end == std::string::npos)
        return {};
    std::istringstream properties(command.substr(begin.size(), end - begin.size()));
    std::string names;
    for (std::string property; std::getline(properties, property, ',');) {
        const std::size_t equals = property.find('=');
        if (equals == std::string::npos || property.find(':') != std::string::npos)
            return {};
        names += (names.empty() ? "" : ",") + property.substr(0, equals);
    }
    return names;
}

} // namespace

TEST_CASE("annotations show failed cases at their locations") {
    const auto lines = lines_of(to_annotations(formats::some_submission()));
    REQUIRE(lines.size() >= 2);
    CHECK(lines[0] == "::error file=kernels/sum.cl,line=12,title=lab1%3A fails::"
                      "wrong <here> & \"there\"%0Aand more");
    CHECK(has(to_annotations(formats::some_submission()),
              "::error title=lab1%3A error::no answer\n"));
    CHECK_FALSE(has(to_annotations(formats::some_submission()), "passes"));
    CHECK_FALSE(has(to_annotations(formats::some_submission()), "inconclusive"));
    CHECK(to_annotations({}).empty());
}

TEST_CASE("there are at most ten annotations, those with a line first") {
    CHECK(lines_of(to_annotations(failing(10))).size() == 10);
    const auto lines = lines_of(to_annotations(failing(16)));
    REQUIRE(lines.size() == 10);
    for (std::size_t i = 0; i < 8; ++i)
        CHECK(has(lines[i], "line=" + std::to_string(2 * i + 1) + ","));
    CHECK_FALSE(has(lines[8], "line="));
    CHECK(has(lines[8], "title=lab1%3A case 0::wrong"));
}

TEST_CASE("cases with the same message at the same place share one annotation") {
    Submission submission = failing(6);
    for (report::Case& one : submission.labs[0].cases) {
        one.line = 7;
        one.message = "wrong";
    }
    submission.labs[0].cases[5].message = "something else";
    const auto lines = lines_of(to_annotations(submission));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "::error file=kernels/a.cl,line=7,title=lab1%3A case 0 (and 4 more)::wrong");
    CHECK(has(lines[1], "title=lab1%3A case 5::something else"));
}

TEST_CASE("annotations contain no other command, whatever a submission contains") {
    const std::set<std::string> forms{"title", "file,title", "file,line,title"};
    for (const std::string& text : formats::hostile_texts()) {
        CAPTURE(text);
        const std::string annotations = to_annotations(formats::submission_of(text));
        CHECK(formats::is_utf8(annotations));
        CHECK(formats::unseen_character(annotations).empty());
        for (const std::string& line : lines_of(annotations)) {
            CAPTURE(line);
            CHECK(forms.count(names_of_properties(line)) == 1);
            CHECK_FALSE(has(line, "##["));
            CHECK(line.size() < 8000);
        }
    }
}

TEST_CASE("annotations escape as GitHub's toolkit does") {
    Submission submission = failing(1);
    submission.labs[0].cases[0].name = "a:b,c%d";
    submission.labs[0].cases[0].message = "100% a:b,c\nd";
    CHECK(to_annotations(submission) ==
          "::error file=kernels/a.cl,title=lab1%3A a%3Ab%2Cc%25d::100%25 a:b,c%0Ad\n");
}
