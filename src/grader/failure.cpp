#include "grader/failure.hpp"

#include "grader/explain.hpp"

#include <utility>

namespace grader {

std::vector<std::string> guesses_shown(const CaseOutcome& ended) {
    constexpr std::size_t most = 2;
    return ended.why.guesses.size() > most ? std::vector<std::string>{} : ended.why.guesses;
}

std::string text_of(const CaseOutcome& ended) {
    std::vector<std::string> parts{ended.message, ended.question};
    bool is_first = true;
    for (const std::string& guess : guesses_shown(ended))
        parts.push_back((std::exchange(is_first, false) ? "looks like: " : "        or: ") + guess);
    parts.push_back(ended.path);
    parts.push_back(ended.context);
    return lines(parts);
}

std::string without_context(CaseOutcome ended) {
    ended.context.clear();
    return text_of(ended);
}

void end(const CaseOutcome& ended) {
    throw CaseOutcome(ended); // NOLINT(cert-err60-cpp): its strings can throw if memory runs out
}

void end(report::Status status, const std::string& message, const std::string& file, int line) {
    end({.status = status,
         .message = message,
         .file = file,
         .line = line,
         .why = {.hints = Hints{}}});
}

Failure failure_of_host(const std::string& what, const std::string& detail) {
    Failure failure{what, {detail}};
    failure.why.cause = Explanation::Cause::host;
    failure.why.mistake = what;
    return failure;
}

Failure wrong_launch(const std::string& how, const std::optional<Hints>& hints) {
    Failure failure{"wrong launch", {how}};
    failure.why.hints = hints;
    failure.is_about_launches = true;
    return failure;
}

} // namespace grader
