#include "grader/explanations.hpp"

#include <algorithm>

namespace grader {
namespace {

/// Whether it is known why `ended` is wrong, or at least where.
bool is_explained(const CaseOutcome& ended) {
    return !ended.why.guesses.empty() || ended.is_by_host ||
           (!ended.why.mistake.empty() && ended.why.mistake != ended.why.symptom);
}

/// Whether only the place is known, which can differ from kernel to kernel.
bool is_only_located(const CaseOutcome& ended) {
    return ended.why.guesses.empty() && !ended.is_by_host && !ended.path.empty();
}

} // namespace

std::string Explanations::choose(CaseOutcome& ended) const {
    if (!ended.is_by_host && !is_known(ended.why.mistake)) {
        const auto known = std::ranges::find_if(
            ended.why.guesses, [&](const std::string& one) { return is_known(one); });
        if (known != ended.why.guesses.end()) {
            ended.why.mistake = *known;
            ended.why.guesses = {ended.why.mistake};
            return mistakes_.at(ended.why.mistake);
        }
        for (const std::string& symptom : {ended.why.symptom, ended.why.wider_symptom}) {
            const auto explained = symptoms_.find(symptom);
            if (explained != symptoms_.end() &&
                (explained->second.is_basic || ended.why.is_correction || !is_explained(ended) ||
                 is_only_located(ended))) {
                ended.why.mistake.clear();
                ended.why.guesses.clear();
                return explained->second.name;
            }
        }
        if (ended.why.mistake.empty() && ended.why.guesses.empty())
            ended.why.mistake = is_known(ended.why.wider_symptom) ? ended.why.wider_symptom
                                : ended.why.is_basic || is_known(ended.why.symptom)
                                    ? ended.why.symptom
                                    : "";
    }
    const auto found = mistakes_.find(ended.why.mistake);
    return found == mistakes_.end() ? "" : found->second;
}

void Explanations::note(const CaseOutcome& ended, const std::string& name) {
    // A known mistake explains a later result better than a change that happens to make it right.
    const bool is_known_mistake = !ended.why.guesses.empty() && !ended.why.only_asks;
    const bool is_basic = ended.why.is_basic && is_explained(ended);
    if ((is_basic || is_known_mistake || !ended.path.empty()) && !ended.why.symptom.empty()) {
        const auto known =
            symptoms_.try_emplace(ended.why.symptom, Explained{name, is_basic}).first;
        if (is_basic && !known->second.is_basic)
            known->second = {name, true};
    }
    if (!ended.why.mistake.empty())
        mistakes_.emplace(ended.why.mistake, name);
    else // any of several may explain later cases
        for (const std::string& guess : ended.why.guesses)
            mistakes_.emplace(guess, name);
}

} // namespace grader
