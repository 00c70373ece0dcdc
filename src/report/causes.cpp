#include "report/causes.hpp"

#include "report/shown_cases.hpp"
#include "report/text.hpp"

#include <algorithm>

namespace report {
namespace {

/// Returns the finding that `one` names, or null.
const Finding* finding_of(const Case& one, const std::vector<Finding>& findings) {
    const auto named = std::ranges::find_if(findings, [&](const Finding& finding) {
        return finding.kind == one.finding && finding.file == one.file && finding.line == one.line;
    });
    return one.finding.empty() || named == findings.end() ? nullptr : &*named;
}

bool same_place(const Finding* a, const Finding* b) {
    return a != nullptr && b != nullptr && a->kind == b->kind && a->file == b->file &&
           a->line == b->line;
}

/// Whether `one` fails for this cause. `finding` is the one that it names.
bool belongs_to(const Case& one, const Finding* finding, const Cause& cause) {
    const bool says_or_follows = std::ranges::any_of(cause.cases, [&](const Case* known) {
        return (!one.message.empty() && known->message == one.message) ||
               (!one.follows.empty() && known->name == one.follows);
    });
    return same_place(finding, cause.finding) || says_or_follows;
}

} // namespace

int Cause::lost_points() const {
    int points = 0;
    for (const auto* group : {&cases, &following}) {
        for (const Case* one : *group)
            points += one->max_score - one->score;
    }
    return points;
}

Causes causes_of(const std::vector<Case>& cases, const std::vector<Finding>& findings) {
    Causes result;
    std::vector<const Case*> failed;
    std::vector<const Case*> followers; // after the cases that report their mistakes
    std::vector<const Case*> blocked;
    for (const Case& one : cases) {
        if (has_passed(one.status) || one.status == Status::skipped)
            continue;
        const bool is_follower = !one.follows.empty();
        (one.status == Status::blocked ? blocked
         : is_follower                 ? followers
                                       : failed)
            .push_back(&one);
    }
    failed.insert(failed.end(), followers.begin(), followers.end());
    for (const Case* one : failed) {
        const Finding* finding = finding_of(*one, findings);
        const auto cause = std::ranges::find_if(
            result.causes, [&](const Cause& known) { return belongs_to(*one, finding, known); });
        if (cause != result.causes.end())
            cause->cases.push_back(one);
        else
            result.causes.push_back({finding, {one}, {}});
    }
    for (const Case* one : blocked) {
        auto cause = std::ranges::find_if(
            result.causes, [&](const Cause& known) { return belongs_to(*one, nullptr, known); });
        if (result.causes.size() == 1)
            cause = result.causes.begin();
        if (cause != result.causes.end())
            cause->following.push_back(one);
        else
            result.unassigned.push_back(one);
    }
    std::stable_partition(result.causes.begin(), result.causes.end(),
                          [](const Cause& cause) { return cause.finding != nullptr; });
    return result;
}

std::string words_of_kind(const std::string& kind) {
    for (const wire::KindOfFinding& one : wire::kinds_of_findings) {
        if (one.name == kind)
            return one.words;
    }
    std::string words = visible_line(kind, name_limit); // a warning, or from a newer version
    std::ranges::replace(words, '-', ' ');
    return words;
}

std::string title_of(const Cause& cause) {
    if (cause.finding != nullptr) {
        std::string kind = words_of_kind(cause.finding->kind);
        if (!kind.empty() && kind[0] >= 'a' && kind[0] <= 'z')
            kind[0] = static_cast<char>(kind[0] - 'a' + 'A');
        return kind + " at " + place(cause.finding->file, cause.finding->line, name_limit);
    }
    const Case& first = *cause.cases.front();
    const std::string line = first_line(first.message);
    return visible_line(line.empty() ? first.name + ": " + to_string(first.status) : line,
                        name_limit);
}

std::string line_of(const Source& source, int number) {
    std::size_t begin = 0;
    for (int line = 1; line < number && begin != std::string::npos; ++line) {
        begin = source.text.find('\n', begin);
        begin += begin == std::string::npos ? 0 : 1;
    }
    if (number < 1 || begin == std::string::npos)
        return {};
    return source.text.substr(begin, source.text.find('\n', begin) - begin);
}

const Source* source_of(const std::vector<Source>& sources, const std::string& file) {
    const auto found =
        std::ranges::find_if(sources, [&](const Source& one) { return one.file == file; });
    return found == sources.end() ? nullptr : &*found;
}

} // namespace report
