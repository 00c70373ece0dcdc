#include "labgrind/findings.hpp"

#include <algorithm>
#include <iterator>

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

std::vector<wire::Finding> Findings::without_consequences() const {
    std::vector<wire::Finding> kept;
    std::copy_if(
        findings_.begin(), findings_.end(), std::back_inserter(kept), [&](const auto& one) {
            return one.kind != kind::uninitialised ||
                   std::none_of(findings_.begin(), findings_.end(), [&](const auto& other) {
                       return (other.kind == kind::data_race || other.kind == kind::barrier_flag) &&
                              (other.line == one.line || other.other_line == one.line);
                   });
        });
    return kept;
}

bool Findings::has(const char* kind) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const auto& known) { return known.kind == kind; });
}

} // namespace labgrind
