#include "report/shown_cases.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// One environment variable can contain "NAME=" and the base64 of this many bytes.
constexpr std::size_t most_classroom_bytes = 98'000;
/// Tests whose texts are short enough to fit into that.
constexpr int most_folded_tests = 500;

std::string dump(const Json& json, int indent = 2) {
    return without_commands(json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n",
                            marks_in_json);
}

/// Returns one line that begins with the lab: services show all cases of a submission in one list.
std::string full_name(const Result& lab, const Case& one) {
    return visible_line(lab.lab, name_limit) + ": " + visible_line(one.name, name_limit);
}

/// The words of the Classroom reporter, which shows all but a pass as failed.
const char* classroom_word(const Case& one) {
    if (counts_as_passed(one))
        return "pass";
    return one.status == Status::fail || one.status == Status::blocked ? "fail" : "error";
}

/// Returns a test for the Classroom reporter. The reporter prints names and messages as they are,
/// so commands are removed here. It prints a line other than 0 as "line undefined", so the messages
/// contain the lines.
Json classroom_test(const std::string& name, const char* word, int score,
                    const std::string& message, const std::string& file) {
    return {{"name", without_commands(name)},
            {"status", word},
            {"score", score},
            {"message", without_commands(message)},
            {"test_code", ""},
            {"filename", without_commands(visible_line(file, name_limit))},
            {"line_no", 0}};
}

/// A case and its name among all cases of a submission.
struct Named {
    std::string name;
    Case one;
};

std::vector<Named> named_cases(const Submission& submission) {
    std::vector<Named> named;
    for (const Result& lab : submission.labs) {
        for (Case& one : shown_cases(lab)) {
            std::string name = full_name(lab, one);
            named.push_back({std::move(name), std::move(one)});
        }
    }
    return named;
}

/// Returns the word for all cases: the worst one, and not a pass if nothing ran. A case without
/// points fails no submission.
const char* classroom_word(const std::vector<Named>& cases) {
    const bool all_free =
        std::ranges::all_of(cases, [](const Named& named) { return named.one.max_score == 0; });
    const auto any = [&](const std::string& word) {
        return std::ranges::any_of(cases, [&](const Named& named) {
            return classroom_word(named.one) == word &&
                   (word == "error" || all_free || named.one.max_score > 0);
        });
    };
    const bool none_ran = std::ranges::all_of(
        cases, [](const Named& named) { return named.one.status == Status::skipped; });
    return any("fail") ? "fail" : any("error") || none_ran ? "error" : "pass";
}

/// Returns the largest number that all their points are multiples of; 0 if there are no points.
int common_divisor(const std::vector<Named>& cases) {
    return std::accumulate(cases.begin(), cases.end(), 0, [](int divisor, const Named& named) {
        return std::gcd(divisor, std::gcd(named.one.score, named.one.max_score));
    });
}

/// The reporter sends the sum of the scores, but its table shows the share of tests that passed. To
/// make these equal, all tests are worth the same: a case becomes as many tests as its points
/// require, and none if it has no points but others do. Stops once the tests are too long.
Json classroom_tests(const std::vector<Named>& cases, std::size_t limit) {
    const int worth = common_divisor(cases);
    Json tests = Json::array();
    std::size_t bytes = 0;
    for (const auto& [name, one] : cases) {
        const int parts = worth > 0 ? one.max_score / worth : 1;
        const int passed = worth > 0 ? one.score / worth : counts_as_passed(one) ? 1 : 0;
        for (int part = 0; part < parts && bytes <= most_classroom_bytes; ++part) {
            const std::string part_name = parts == 1 ? name
                                                     : name + " (" + std::to_string(part + 1) +
                                                           "/" + std::to_string(parts) + ")";
            // Only once, with the first test that it is about.
            const std::string message = part == passed % parts ? text_of(one, limit) : "";
            const char* word = part < passed           ? "pass"
                               : counts_as_passed(one) ? "fail"
                                                       : classroom_word(one);
            tests.push_back(
                classroom_test(part_name, word, part < passed ? worth : 0, message, one.file));
            bytes += part_name.size() + message.size();
        }
    }
    return tests;
}

/// For submissions whose cases would not fit: as many tests as their points require, or just one if
/// these are too many, too. The table is then off by a fraction of a point.
Json folded_tests(const Submission& submission, const char* word, const std::string& message) {
    Named all{"all labs", {}};
    all.one.status = word == std::string("error") ? Status::error : Status::fail;
    all.one.score = submission.score();
    all.one.max_score = submission.max_score();
    all.one.message = message;
    if (all.one.max_score / std::max(common_divisor({all}), 1) > most_folded_tests)
        return Json::array({classroom_test(all.name, word, all.one.score, message, "")});
    return classroom_tests({all}, message_limit);
}

std::string classroom_json(const Submission& submission, const char* word, const Json& tests) {
    return dump(
        {{"version", 1}, {"status", word}, {"max_score", submission.max_score()}, {"tests", tests}},
        -1);
}

/// "2026-12-04T23:59:00Z"
std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    std::ostringstream text;
    text << std::put_time(&utc, "%Y-%m-%dT%H:%M:%SZ");
    return text.str();
}

} // namespace

std::string to_classroom(const Submission& submission) {
    const std::vector<Named> all = named_cases(submission);
    const char* word = classroom_word(all);
    if (all.empty())
        return classroom_json(submission, word,
                              folded_tests(submission, word, "no lab was graded"));
    for (std::size_t limit = message_limit; limit >= 32; limit /= 2) {
        std::string json = classroom_json(submission, word, classroom_tests(all, limit));
        if (json.size() <= most_classroom_bytes)
            return json;
    }
    return classroom_json(submission, word,
                          folded_tests(submission, word, "see report.html for each case"));
}

Classroom50 classroom50_environment() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing sets it
        return std::string(value == nullptr ? "" : value);
    };
    Classroom50 environment{
        variable("CLASSROOM"),   variable("ASSIGNMENT"),     variable("ASSIGNMENT_TYPE"),
        variable("OWNER"),       variable("SUBMISSION_TAG"), variable("COMMIT_URL"),
        variable("RELEASE_URL"), variable("REVIEW_URL"),     ""};
    if (!environment.submission.empty())
        environment.datetime = utc_now();
    return environment;
}

std::string to_classroom50(const Submission& submission, const Classroom50& environment) {
    Json tests = Json::array();
    for (const Result& lab : submission.labs) {
        for (const Case& one : shown_cases(lab))
            tests.push_back({{"test-name", full_name(lab, one)},
                             {"passed", counts_as_passed(one)},
                             {"score", one.score},
                             {"max-score", one.max_score}});
    }
    return dump({{"schema", "classroom50/result/v1"},
                 {"classroom", environment.classroom},
                 {"assignment", environment.assignment},
                 {"assignment_type", environment.assignment_type},
                 {"owner", environment.owner},
                 {"submission", environment.submission},
                 {"commit", environment.commit},
                 {"release", environment.release},
                 {"review", environment.review},
                 {"datetime", environment.datetime},
                 {"score", submission.score()},
                 {"max-score", submission.max_score()},
                 {"tests", tests}});
}

std::string to_gradescope(const Submission& submission) {
    std::string output = points(submission.score(), submission.max_score()) + " points";
    const auto add = [&](const std::string& line) { output += "\n" + line; };
    add("graded by " + product());
    if (submission.labs.empty())
        add("no lab was graded");
    for (const std::string& remark : submission.remarks)
        add(visible_line(remark, line_limit));
    for (const Result& lab : submission.labs) {
        const std::string remark = remark_on(lab);
        if (!remark.empty())
            add(visible_line(lab.lab, name_limit) + ": " + visible(remark, message_limit));
    }
    Json tests = Json::array();
    for (std::size_t i = 0; i < submission.labs.size(); ++i) {
        const Result& lab = submission.labs[i];
        int number = 0;
        for (const Case& one : shown_cases(lab)) {
            std::string text = text_of(one);
            if (one.status != Status::pass && one.status != Status::fail)
                text.insert(0, to_string(one.status) + std::string(text.empty() ? "" : ": "));
            tests.push_back({{"name", full_name(lab, one)},
                             {"name_format", "text"},
                             {"number", std::to_string(i + 1) + "." + std::to_string(++number)},
                             {"score", one.score},
                             {"max_score", one.max_score},
                             {"status", counts_as_passed(one) ? "passed" : "failed"},
                             {"output", text},
                             {"output_format", "text"},
                             {"tags", Json::array({visible_line(lab.lab, name_limit)})},
                             {"visibility", "visible"}});
        }
    }
    return dump({{"score", submission.score()},
                 {"output", output},
                 {"output_format", "text"},
                 {"visibility", "visible"},
                 {"stdout_visibility", "hidden"}, // student code can print there, too
                 {"tests", tests}});
}

} // namespace report
