#include "grader/small_trials.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace grader {
namespace {

using wire::FindingKind;

/// Whether a mistake of the host in the same trial explains the finding: an index outside a buffer
/// that is too small or the wrong one, memory that it should have written, groups that use the same
/// element because of a wrong index, or a wrong result in some schedule.
bool comes_from_host(const ObservedFinding& one, const SmallTrials& small) {
    const FindingKind kind = one.finding.kind;
    const bool can_follow =
        kind == FindingKind::out_of_bounds || kind == FindingKind::uninitialized ||
        kind == FindingKind::reads_write_only || kind == FindingKind::writes_read_only ||
        kind == FindingKind::wrong_order || kind == FindingKind::endless_loop ||
        kind == FindingKind::unpromised_wait || kind == FindingKind::lock_not_free ||
        (kind == FindingKind::data_race && one.finding.between_groups);
    return can_follow && small.trials_with_host_mistakes.contains(one.trial);
}

/// Whether a mistake of the kernels that is known from wrong results explains the finding.
bool comes_from_other_kernel(const ObservedFinding& one, const SmallTrials& small) {
    const FindingKind kind = one.finding.kind;
    const bool can_follow = kind == FindingKind::out_of_bounds ||
                            kind == FindingKind::uninitialized || kind == FindingKind::data_race;
    return can_follow && !small.kernel_mistake.text.empty() &&
           one.finding.kernel == small.kernel_mistake.kernel;
}

/// Puts causes before what can follow from them: groups can race because of what a barrier with the
/// wrong flag does not order, and an index outside its buffer leaves the right element uninitialized.
void put_causes_first(std::vector<ObservedFinding>& findings) {
    const auto rank = [](const ObservedFinding& one) {
        return one.finding.kind == FindingKind::barrier_flag    ? 0
               : one.finding.kind == FindingKind::uninitialized ? 2
                                                                : 1;
    };
    std::ranges::stable_sort(findings, {}, rank);
}

/// If a loop hangs in lock step, a second finding about its waiting adds nothing.
void drop_waits_of_hangs(std::vector<ObservedFinding>& findings) {
    const auto hangs_too = [&](const ObservedFinding& wait) {
        return wait.finding.kind == FindingKind::unpromised_wait &&
               std::ranges::any_of(findings, [&](const ObservedFinding& one) {
                   return one.finding.kind == FindingKind::lock_step_hang &&
                          one.finding.line == wait.finding.line;
               });
    };
    std::vector<ObservedFinding> rest;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(rest),
                 [&](const ObservedFinding& one) { return !hangs_too(one); });
    findings = std::move(rest);
}

/// Sets results apart that are wrong in some schedule: they mean nothing if the kernel gets wrong
/// results without one.
void set_apart_schedules_of_wrong_kernels(SmallTrials& small) {
    std::vector<ObservedFinding>& findings = small.seen.findings;
    const auto apart =
        std::stable_partition(findings.begin(), findings.end(), [&](const ObservedFinding& one) {
            return one.finding.kind != FindingKind::wrong_order ||
                   !small.failed_kernels.contains(one.finding.kernel);
        });
    small.unjudged.assign(apart, findings.end());
    findings.erase(apart, findings.end());
}

} // namespace

void sort_findings(SmallTrials& small) {
    put_causes_first(small.seen.findings);
    drop_waits_of_hangs(small.seen.findings);
    set_apart_schedules_of_wrong_kernels(small);
}

Observation in_kernels_of(const std::vector<wire::Launch>& launches, Observation seen) {
    const auto is_elsewhere = [&](const ObservedFinding& one) {
        return std::ranges::none_of(launches, [&](const wire::Launch& launch) {
            return launch.kernel == one.finding.kernel;
        });
    };
    const auto rest = std::remove_if(seen.findings.begin(), seen.findings.end(), is_elsewhere);
    seen.findings.erase(rest, seen.findings.end());
    return seen;
}

const KnownMistake* known_cause_of(const ObservedFinding& one, const SmallTrials& small) {
    if (comes_from_host(one, small))
        return &small.host_mistake;
    return comes_from_other_kernel(one, small) ? &small.kernel_mistake : nullptr;
}

bool only_lacks_barriers(const Observation& seen) {
    return seen.failure.empty() && !seen.findings.empty() &&
           std::ranges::all_of(seen.findings, [](const ObservedFinding& one) {
               return one.finding.within_group || one.finding.kind == FindingKind::barrier_flag;
           });
}

bool can_spoil_others(const Observation& seen, const SmallTrials& small) {
    return std::ranges::any_of(seen.findings, [&](const auto& one) {
        const FindingKind kind = one.finding.kind;
        return !one.finding.within_group && kind != FindingKind::barrier_flag &&
               kind != FindingKind::lock_step_hang && !comes_from_host(one, small);
    });
}

} // namespace grader
