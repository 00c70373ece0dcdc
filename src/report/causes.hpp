#pragma once

#include "report/result.hpp"

#include <string>
#include <vector>

namespace report {

/// Failed cases with the same cause. The pointers are into the arguments of causes_of().
struct Cause {
    const Finding* finding = nullptr;   ///< what the analysis found; null if nothing
    std::vector<const Case*> cases;     ///< at least one; the first describes the cause
    std::vector<const Case*> following; ///< blocked by it

    /// Returns the points that its cases do not earn.
    int lost_points() const;
};

/// The cases of a lab that did not pass, by their causes.
struct Causes {
    std::vector<Cause> causes;           ///< what to fix first comes first
    std::vector<const Case*> unassigned; ///< blocked by one of several causes
};

/// Groups the cases that did not pass. Cases have the same cause if they name a finding of the same
/// kind at the same line, if their messages are the same, or if one says that it follows from the
/// other. Skipped cases have none. A finding comes first: it names a line of the kernel, and wrong
/// results follow from it.
Causes causes_of(const std::vector<Case>& cases, const std::vector<Finding>& findings);

/// Returns the name of a finding's kind in plain words: "data race". `kind` is as in result.json.
std::string words_of_kind(const std::string& kind);

/// Returns a cause on one line: "Data race at kernels/lab1.cl:12", or the first line of the message.
std::string title_of(const Cause& cause);

/// Returns line `number` of `source`, "" if there is none.
std::string line_of(const Source& source, int number);

/// Returns the source with this name, or null.
const Source* source_of(const std::vector<Source>& sources, const std::string& file);

} // namespace report
