#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <limits>
#include <map>
#include <string>

namespace grader {

/// Chooses the hint that each failing case ends with: one more each time a student asks, from a
/// nudge to nearly the answer. Each case has its own count, which starts over when the case has
/// passed or fails for another reason.
class HintLevels {
  public:
    struct Options {
        bool asked = false;  ///< --hint
        int level = 0;       ///< of --hint=N; 0: the next one
        bool always = false; ///< the instructor shows a hint without being asked
        /// The most hints of a case that students get.
        std::size_t most = std::numeric_limits<std::size_t>::max();
        std::string file; ///< keeps the count from run to run; "" for none
    };

    /// Shows no hints.
    HintLevels() = default;
    explicit HintLevels(Options options);

    /// Sets the hint of a case that has ended. Only failures have hints: a case that is blocked, or
    /// that the harness could not decide, needs none.
    void choose(report::Case& one) const;

    /// Records what `result` has shown in the file. If the file cannot be written, the count is
    /// lost.
    void remember(const report::Result& result);

  private:
    struct Seen {
        std::size_t level = 0;
        std::string first; ///< the first hint, which identifies the others
    };

    void read();

    Options options_;
    std::map<std::string, Seen> seen_; ///< by the name of a case
};

} // namespace grader
