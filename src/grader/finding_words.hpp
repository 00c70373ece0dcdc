#pragma once

#include "grader/failure.hpp"
#include "grader/small_trials.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace grader {

class KernelFile;
class Session;

/// Describes findings, corrections and known mistakes, with the lines of the kernels that they name.
class FindingWords {
  public:
    explicit FindingWords(Session& session) : session_(session) {}

    /// `more_lines`: where the same mistake shows, too.
    std::string describe(const ObservedFinding& one, const std::set<int>& more_lines = {}) const;

    /// `is_likely`: that this is the mistake. `shown`: what the message shows already.
    std::string describe(const Correction& correction, bool is_likely,
                         const std::string& shown) const;

    /// What a known mistake is, after the words for one of the host or of a kernel, and the suspicious
    /// lines of the kernel's file.
    std::vector<std::string> describe(const KnownMistake& known, const std::string& of_host,
                                      const std::string& of_kernel) const;

    /// What all cases that fail because of this mistake have in common.
    std::string mistake_of(const Correction& correction) const;

    /// Those of a kernel file, with what only labgrind's compiler warns about.
    std::vector<std::string> suspicious_lines(const KernelFile& file) const;

    /// Adds the suspicious lines of the kernel's file, unless `known` has them, and a correction with
    /// which all findings disappear. Returns whether there is one.
    bool add_suspects(const std::string& kernel, const std::optional<Correction>& correction,
                      const std::string& known, std::vector<std::string>& parts) const;

    /// Notes in `ended` that its message names this finding.
    void point_to(const wire::Finding& finding, CaseOutcome& ended) const;

  private:
    Session& session_;
};

} // namespace grader
