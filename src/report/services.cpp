#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/told.hpp"
#include "report/version.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// What one variable of the environment can hold, "NAME=" and the base64 of this many bytes.
constexpr std::size_t most_classroom_bytes = 98'000;

std::string dump(const Json& json, int indent = 2) {
    return without_commands(json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n",
                            marks_in_json);
}

/// One line that begins with the lab: services tell all cases of a submission in one list.
std::string full_name(const Result& lab, const Case& one) {
    return visible_line(lab.lab, name_limit) + ": " + visible_line(one.name, name_limit);
}

/// The words of the Classroom reporter, which shows all but a pass as failed.
const char* classroom_word(const Case& one) {
    if (earned(one))
        return "pass";
    return one.status == Status::fail || one.status == Status::blocked ? "fail" : "error";
}

/// A test of the Classroom reporter. It prints names and messages as they are, so they are without
/// commands themselves; a line other than 0 it prints as "line undefined", so lines stand in the
/// messages.
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

/// A case and the name that it has among all of a submission.
struct Named {
    std::string name;
    Case one;
};

std::vector<Named> named_cases(const Result& lab) {
    std::vector<Named> named;
    for (Case& one : told_cases(lab)) {
        std::string name = full_name(lab, one);
        named.push_back({std::move(name), std::move(one)});
    }
    return named;
}

/// The word for all of them: the worst, and no pass where nothing ran.
const char* classroom_word(const std::vector<Named>& cases) {
    const auto any = [&](const std::string& word) {
        return std::any_of(cases.begin(), cases.end(),
                           [&](const Named& named) { return classroom_word(named.one) == word; });
    };
    const bool none_ran = std::all_of(cases.begin(), cases.end(), [](const Named& named) {
        return named.one.status == Status::skipped;
    });
    return any("fail") ? "fail" : any("error") || none_ran ? "error" : "pass";
}

/// All of them, or as many as are too long already.
Json classroom_tests(const std::vector<Named>& cases, std::size_t limit) {
    Json tests = Json::array();
    std::size_t bytes = 0;
    for (const auto& [name, one] : cases) {
        const std::string message = told(one, limit);
        tests.push_back(classroom_test(name, classroom_word(one), one.score, message, one.file));
        bytes += message.size();
        if (bytes > most_classroom_bytes)
            break;
    }
    return tests;
}

/// A test a lab, for submissions of more cases than would fit.
Json folded_tests(const Submission& submission) {
    Json tests = Json::array();
    for (const Result& lab : submission.labs) {
        const std::vector<Case> cases = told_cases(lab);
        const std::string message = std::to_string(passed_cases(cases)) + " of " +
                                    std::to_string(cases.size()) +
                                    " cases passed; report.html has them one by one";
        const char* word = classroom_word(named_cases(lab));
        tests.push_back(
            classroom_test(visible_line(lab.lab, name_limit), word, lab.score(), message, ""));
    }
    return tests;
}

/// The one test that is left when even the labs are too many, or when there are none: the reporter
/// wants one.
Json one_test(const Submission& submission, const char* word) {
    const char* message =
        submission.labs.empty() ? "no lab was graded" : "report.html has the labs one by one";
    return Json::array({classroom_test("all labs", word, submission.score(), message, "")});
}

std::string classroom_json(const Submission& submission, const char* word, const Json& tests) {
    return dump(
        {{"version", 1}, {"status", word}, {"max_score", submission.max_score()}, {"tests", tests}},
        -1);
}

} // namespace

std::string to_classroom(const Submission& submission) {
    std::vector<Named> all;
    for (const Result& lab : submission.labs) {
        std::vector<Named> cases = named_cases(lab);
        std::move(cases.begin(), cases.end(), std::back_inserter(all));
    }
    const char* word = classroom_word(all);
    if (!all.empty()) {
        for (std::size_t limit = message_limit; limit >= 32; limit /= 2) {
            std::string json = classroom_json(submission, word, classroom_tests(all, limit));
            if (json.size() <= most_classroom_bytes)
                return json;
        }
        std::string json = classroom_json(submission, word, folded_tests(submission));
        if (json.size() <= most_classroom_bytes)
            return json;
    }
    return classroom_json(submission, word, one_test(submission, word));
}

std::string to_classroom50(const Submission& submission, const Classroom50& environment) {
    Json tests = Json::array();
    for (const Result& lab : submission.labs) {
        for (const Case& one : told_cases(lab))
            tests.push_back({{"test-name", full_name(lab, one)},
                             {"passed", earned(one)},
                             {"score", one.score},
                             {"max-score", one.max_score}});
    }
    return dump({{"schema", "classroom50/result/v1"},
                 {"classroom", environment.classroom},
                 {"assignment", environment.assignment},
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
        if (!remark_on(lab).empty())
            add(visible_line(lab.lab, name_limit) + ": " + visible(remark_on(lab), message_limit));
    }
    Json tests = Json::array();
    for (std::size_t i = 0; i < submission.labs.size(); ++i) {
        const Result& lab = submission.labs[i];
        int number = 0;
        for (const Case& one : told_cases(lab)) {
            std::string text = told(one);
            if (one.status != Status::pass && one.status != Status::fail)
                text.insert(0, to_string(one.status) + std::string(text.empty() ? "" : ": "));
            tests.push_back({{"name", full_name(lab, one)},
                             {"name_format", "text"},
                             {"number", std::to_string(i + 1) + "." + std::to_string(++number)},
                             {"score", one.score},
                             {"max_score", one.max_score},
                             {"status", earned(one) ? "passed" : "failed"},
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
                 {"stdout_visibility", "hidden"}, // student code prints there, too
                 {"tests", tests}});
}

} // namespace report
