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
    /// the short ones explains all, and a guess about a longer input is more likely to be wrong.
    /// Returns the name of the case that reports the same; "" if there is none.
    std::string choose(CaseOutcome& ended) const;

    /// Notes that the case `name` reports what explains `ended`.
    void note(const CaseOutcome& ended, const std::string& name);

  private:
    using CasesByKey = std::map<std::string, std::string>;

    bool is_known(const std::string& mistake) const { return mistakes_.contains(mistake); }

    CasesByKey mistakes_; ///< and symptoms that nothing explains
    CasesByKey symptoms_; ///< that an explained mistake in a short input has
};

} // namespace grader
