#include "grader/explanations.hpp"

#include <algorithm>

namespace grader {

std::string Explanations::choose(Ended& ended) const {
    if (!ended.is_by_host && !is_known(ended.mistake)) {
        const auto known = std::ranges::find_if(
            ended.guesses, [&](const std::string& one) { return is_known(one); });
        if (known != ended.guesses.end()) {
            ended.mistake = *known;
            ended.guesses = {ended.mistake};
            return mistakes_.at(ended.mistake);
        }
        for (const std::string& symptom : {ended.symptom, ended.wider_symptom}) {
            const auto explained = symptoms_.find(symptom);
            if (explained != symptoms_.end()) {
                ended.mistake.clear();
                ended.guesses.clear();
                return explained->second;
            }
        }
        if (ended.mistake.empty() && ended.guesses.empty())
            ended.mistake = is_known(ended.wider_symptom)               ? ended.wider_symptom
                            : ended.is_basic || is_known(ended.symptom) ? ended.symptom
                                                                        : "";
    }
    const auto found = mistakes_.find(ended.mistake);
    return found == mistakes_.end() ? "" : found->second;
}

void Explanations::note(const Ended& ended, const std::string& name) {
    const bool is_explained = !ended.guesses.empty() || ended.is_by_host;
    if (ended.is_basic && is_explained && !ended.symptom.empty())
        symptoms_.emplace(ended.symptom, name);
    if (!ended.mistake.empty())
        mistakes_.emplace(ended.mistake, name);
    else // any of several may explain later cases
        for (const std::string& guess : ended.guesses)
            mistakes_.emplace(guess, name);
}

} // namespace grader
