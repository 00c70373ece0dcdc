#include "labgrind/findings.hpp"

#include <algorithm>

namespace labgrind {

void Findings::add(const wire::Finding& finding) {
    const auto same = std::find_if(findings_.begin(), findings_.end(), [&](const auto& known) {
        return known.kind == finding.kind && known.line == finding.line &&
               known.other_line == finding.other_line;
    });
    if (same == findings_.end())
        findings_.push_back(finding);
    else
        ++same->count;
}

bool Findings::has(const char* kind) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const auto& known) { return known.kind == kind; });
}

} // namespace labgrind
