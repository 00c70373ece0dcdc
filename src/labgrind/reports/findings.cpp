#include "labgrind/reports/findings.hpp"

#include <algorithm>
#include <iterator>

namespace labgrind {

bool is_unwritten(std::uint64_t value, std::size_t size) {
    constexpr unsigned word_bits = 32;
    const auto low = static_cast<std::uint32_t>(value);
    const auto high = static_cast<std::uint32_t>(value >> word_bits);
    return wire::is_filling(low) && (size <= sizeof low || high == low);
}

void Findings::add(const wire::Finding& finding) {
    if (finding.kind == FindingKind::data_race && !finding.within_group && has_lost_atomic_)
        return;
    const auto same = std::ranges::find_if(findings_, [&](const auto& known) {
        return known.kind == finding.kind && known.line == finding.line &&
               (known.other_line == finding.other_line ||
                (!finding.cause.empty() && known.cause == finding.cause));
    });
    if (same == findings_.end()) {
        findings_.push_back(finding);
        return;
    }
    same->within_group = same->within_group && finding.within_group;
}

void Findings::explain(const wire::Finding& race, const std::string& explanation) {
    for (wire::Finding& known : findings_) {
        if (known.kind == race.kind && known.line == race.line &&
            known.other_line == race.other_line) {
            known.explanation = explanation;
            known.cause = explanation;
            known.is_explained = true;
        }
    }
}

bool Findings::has(FindingKind kind, int line) const {
    return std::ranges::any_of(findings_, [&](const auto& known) {
        return known.kind == kind && known.line == line && known.other_line == 0;
    });
}

std::vector<wire::Finding> Findings::without_consequences() const {
    std::vector<wire::Finding> kept;
    const auto explains = [&](const wire::Finding& cause, const wire::Finding& effect) {
        const bool same_line = cause.line == effect.line || cause.other_line == effect.line;
        if (cause.is_shared_store)
            return effect.kind == FindingKind::data_race && !effect.is_shared_store &&
                   (same_line || cause.line == effect.other_line);
        if (effect.kind == FindingKind::data_race)
            return cause.kind == FindingKind::barrier_flag &&
                   (cause.other_line == effect.line || cause.cause == effect.cause);
        if (effect.kind == FindingKind::divergent_barrier)
            return cause.within_group && (deciding_lines_.contains(cause.line) ||
                                          deciding_lines_.contains(cause.other_line));
        if (effect.kind == FindingKind::uninitialized)
            return same_line && (cause.kind == FindingKind::data_race ||
                                 cause.kind == FindingKind::barrier_flag);
        return same_line && effect.kind == FindingKind::out_of_bounds &&
               cause.kind == FindingKind::uninitialized;
    };
    // A race within a group can be the reason why a variable is read before it is written.
    const bool has_undefined_path =
        has_undefined_path_ && std::ranges::none_of(findings_, &wire::Finding::within_group);
    const auto follows = [&](const wire::Finding& one) {
        if (one.kind != FindingKind::data_race)
            return false;
        return one.within_group ? has_divergence_ : !one.is_shared_store && has_undefined_path;
    };
    std::ranges::copy_if(findings_, std::back_inserter(kept), [&](const wire::Finding& one) {
        return !follows(one) && std::ranges::none_of(findings_, [&](const wire::Finding& other) {
            return explains(other, one);
        });
    });
    return kept;
}

void Findings::remove(const wire::Finding& race) {
    std::erase_if(findings_, [&](const wire::Finding& one) {
        return one.kind == race.kind && one.line == race.line && one.other_line == race.other_line;
    });
}

bool Findings::has(FindingKind kind) const {
    return std::ranges::any_of(findings_, [&](const auto& known) { return known.kind == kind; });
}

} // namespace labgrind
