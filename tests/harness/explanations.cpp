#include "grader/explanations.hpp"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace {

using grader::CaseOutcome;
using grader::Explanations;

CaseOutcome wrong_sum(bool is_basic = false) {
    CaseOutcome ended{.status = report::Status::fail, .message = "wrong sum"};
    ended.why.symptom = "wrong sum";
    ended.why.is_basic = is_basic;
    return ended;
}

CaseOutcome guessed(const std::vector<std::string>& guesses, bool is_basic = false) {
    CaseOutcome ended = wrong_sum(is_basic);
    ended.why.guesses = guesses;
    return ended;
}

CaseOutcome located(const std::string& path) {
    CaseOutcome ended = wrong_sum();
    ended.path = path;
    ended.why.mistake = "reduce loses an element";
    return ended;
}

CaseOutcome wrong_minimum() {
    CaseOutcome ended = wrong_sum();
    ended.why.symptom = "wrong minimum";
    ended.why.wider_symptom = "wrong sum";
    return ended;
}

/// The case whose mistake explains `later`, if the case "first" ended as `earlier`.
std::string followed(CaseOutcome earlier, CaseOutcome later) {
    Explanations explanations;
    CHECK(explanations.choose(earlier).empty());
    explanations.note(earlier, "first");
    return explanations.choose(later);
}

} // namespace

TEST_CASE("cases with the same mistake follow from the first of them") {
    CHECK(followed(guessed({"every element counts twice"}),
                   guessed({"this is the maximum", "every element counts twice"})) == "first");
    CHECK(followed(located("line 3 reads element 5"), located("line 4 reads element 6")) ==
          "first");
    CHECK(followed(guessed({"every element counts twice"}), guessed({"this is the maximum"}))
              .empty());
}

TEST_CASE("what explains a short input explains longer ones") {
    CHECK(followed(guessed({"every element counts twice"}, true),
                   guessed({"this is the maximum"})) == "first");
    CHECK(followed(guessed({"every element counts twice"}, true), wrong_minimum()) == "first");
}

TEST_CASE("what is not explained follows from what is") {
    CHECK(followed(located("line 3 reads element 5"), wrong_sum()) == "first");
    CHECK(followed(located("line 3 reads element 5"), wrong_minimum()) == "first");
    CHECK(followed(guessed({"every element counts twice"}), wrong_sum()) == "first");
    CHECK(followed(guessed({"every element counts twice"}), located("line 3 reads element 5")) ==
          "first");
    CHECK(followed(wrong_sum(), located("line 3 reads element 5")).empty());
}

TEST_CASE("longer inputs are not explained by one that nothing explains") {
    CHECK(followed(wrong_sum(), wrong_sum()).empty());
    CHECK(followed(wrong_sum(true), wrong_sum()) == "first");
}

TEST_CASE("what the host does wrong does not follow from a wrong result") {
    CaseOutcome host = wrong_sum();
    host.is_by_host = true;
    CHECK(followed(located("line 3 reads element 5"), host).empty());
}
