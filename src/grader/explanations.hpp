#pragma once

#include "grader/failure.hpp"

#include <map>
#include <string>

namespace grader {

/// Knows which case is the first to report each mistake, so that cases that fail by the same mistake
/// follow from it.
class Explanations {
  public:
    /// Chooses what explains `ended` and drops its other guesses. Of several explanations, that is the
    /// one that an earlier case has. If short inputs fail, the others follow from them: what explains
    /// the short ones explains all, and a guess about a longer input is more likely to be wrong. What
    /// nothing explains, or of what only the place is known, follows from a case with the same symptom
    /// that is explained.
    /// Returns the name of the case that reports the same; "" if there is none.
    std::string choose(CaseOutcome& ended) const;

    /// Notes that the case `name` reports what explains `ended`.
    void note(const CaseOutcome& ended, const std::string& name);

  private:
    /// The first case with a symptom whose mistake it names.
    struct Explained {
        std::string name;
        bool is_basic = false; ///< in a short input
    };

    bool is_known(const std::string& mistake) const { return mistakes_.contains(mistake); }

    std::map<std::string, std::string> mistakes_; ///< by case; and symptoms that nothing explains
    std::map<std::string, Explained> symptoms_;   ///< of explained mistakes
};

} // namespace grader
