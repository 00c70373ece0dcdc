#include "report/shown_cases.hpp"

#include "report/text.hpp"

#include <algorithm>
#include <cmath>

namespace report {

std::vector<Case> shown_cases(const Result& result) {
    std::vector<Case> cases = result.cases;
    if (cases.empty()) {
        Case placeholder;
        placeholder.name = "the lab can be run";
        placeholder.status = Status::error;
        placeholder.message = "no case was run";
        cases.push_back(placeholder);
    }
    for (Case& one : cases) {
        const bool says_nothing = one.message.empty() || result.cases.empty();
        if (!result.reason.empty() && says_nothing && !counts_as_passed(one))
            one.message = result.reason;
    }
    return cases;
}

std::string remark_on(const Result& result) {
    const std::int64_t minutes = result.seconds_late / 60;
    if (minutes <= 0)
        return result.reason;
    const std::int64_t hours = minutes / 60;
    const std::string time =
        hours >= 48 ? std::to_string(hours / 24) + " days"
        : hours > 0 ? std::to_string(hours) + " h " + std::to_string(minutes % 60) + " min"
                    : std::to_string(minutes) + " min";
    const std::string what = result.revision.time.empty() ? "graded "
                             : result.revision.pushed     ? "pushed "
                                                          : "committed ";
    return what + time + " after it was due" + (result.reason.empty() ? "" : "; ") + result.reason;
}

std::string revision_of(const Result& result) {
    const Revision& revision = result.revision;
    std::string text = revision.commit.empty() ? "" : "commit " + revision.commit;
    if (!revision.time.empty())
        text += std::string(text.empty() ? "" : ", ") +
                (revision.pushed ? "pushed " + revision.time
                                 : "committed " + revision.time + " according to the commit");
    return visible_line(text, line_limit);
}

std::size_t passed_cases(const std::vector<Case>& cases) {
    const auto passed = [](const Case& one) { return has_passed(one.status); };
    return static_cast<std::size_t>(std::ranges::count_if(cases, passed));
}

std::string points(int score, int max_score) {
    return std::to_string(score) + " of " + std::to_string(max_score);
}

std::string points(const Case& one) {
    return one.max_score == 0 ? "optional" : points(one.score, one.max_score);
}

std::string place(const std::string& file, int line, std::size_t limit) {
    if (file.empty())
        return {};
    return visible_line(file, limit) + (line > 0 ? ":" + std::to_string(line) : "");
}

std::string text_of(const Case& one, std::size_t limit) {
    std::string text;
    const auto add = [&](const std::string& heading, const std::string& body) {
        if (!body.empty())
            text += (text.empty() ? "" : "\n") + heading + body;
    };
    add("", visible(one.message, std::min(limit, message_limit)));
    if (!counts_as_passed(one)) {
        add("in ", place(one.file, one.line, std::min(limit, line_limit)));
        add("hint: ", visible(one.hint, std::min(limit, hint_limit)));
        add("your code printed:\n", visible(one.output, std::min(limit, output_limit)));
    }
    return text;
}

double finite(double number) { return std::isfinite(number) ? number : 0; }

} // namespace report
