#include "grader/small_trials.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

namespace grader {
namespace {

using wire::FindingKind;

/// What a finding of a kind can follow from, and what can follow from it.
struct Relations {
    FindingKind kind = {};
    bool of_host = false;         ///< a mistake of the host in the same trial
    bool of_wrong_result = false; ///< a mistake of the kernel that is known from wrong results
    bool of_slip = false;         ///< a slip that a small change of the kernel corrects
    bool spoils_others = true;    ///< other findings and wrong results can follow from it
};

/// In the order of FindingKind. An index can leave a buffer that is too small, memory is uninitialized
/// that the host or a kernel should have written, groups use the same element because of a wrong index,
/// and with wrong data, a schedule shows nothing.
constexpr std::array<Relations, wire::kinds_of_findings.size()> relations{{
    {.kind = FindingKind::data_race, .of_host = true, .of_wrong_result = true, .of_slip = true},
    {.kind = FindingKind::barrier_flag, .spoils_others = false},
    {.kind = FindingKind::divergent_barrier, .of_slip = true},
    {.kind = FindingKind::out_of_bounds, .of_host = true, .of_wrong_result = true, .of_slip = true},
    {.kind = FindingKind::misaligned, .of_host = true, .of_wrong_result = true},
    {.kind = FindingKind::uninitialized, .of_host = true, .of_wrong_result = true, .of_slip = true},
    {.kind = FindingKind::division_by_zero, .of_host = true, .of_slip = true},
    {.kind = FindingKind::endless_loop, .of_host = true, .of_slip = true},
    {.kind = FindingKind::unpromised_wait, .of_host = true},
    {.kind = FindingKind::missing_fence},
    {.kind = FindingKind::plain_unlock},
    {.kind = FindingKind::unlock_not_held},
    {.kind = FindingKind::never_unlocked},
    {.kind = FindingKind::barrier_in_lock},
    {.kind = FindingKind::lock_step_hang, .spoils_others = false},
    {.kind = FindingKind::no_retry},
    {.kind = FindingKind::wrong_order, .of_host = true},
    {.kind = FindingKind::lock_not_free, .of_host = true},
    {.kind = FindingKind::reads_write_only, .of_host = true},
    {.kind = FindingKind::writes_read_only, .of_host = true},
}};
static_assert(std::ranges::equal(relations, wire::kinds_of_findings, {}, &Relations::kind,
                                 &wire::KindOfFinding::kind));

bool has(bool Relations::*property, const wire::Finding& finding) {
    return relations.at(static_cast<std::size_t>(finding.kind)).*property;
}

/// The host's mistake from which `one` follows; null if there is none.
const KnownMistake* mistake_of_host(const ObservedFinding& one, const SmallTrials& small) {
    const auto known = small.host_mistakes.find(one.trial);
    if (known == small.host_mistakes.end() || !has(&Relations::of_host, one.finding))
        return nullptr;
    const KnownMistake& mistake = known->second;
    // The host has hardly any part in what work-items of one group do to each other.
    const bool is_within_group = one.finding.kind == FindingKind::data_race &&
                                 !one.finding.between_groups && !mistake.explains_every_race;
    const bool is_index = one.finding.kind == FindingKind::out_of_bounds ||
                          one.finding.kind == FindingKind::misaligned;
    return is_within_group || (is_index && !mistake.spoils_indices) ? nullptr : &mistake;
}

bool comes_from_other_kernel(const ObservedFinding& one, const SmallTrials& small) {
    return has(&Relations::of_wrong_result, one.finding) && small.kernel_mistake &&
           one.finding.kernel == small.kernel_mistake->kernel;
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

/// Whether `one` adds nothing to `other`: that a loop waits which hangs in lockstep, or that a schedule
/// leads to a wrong result if a lock has no fence, a barrier is not reached by all, or the kernel accesses
/// memory outside a buffer, which can also look like an attempt that is not retried.
bool is_explained_by(const wire::Finding& one, const wire::Finding& other) {
    return (one.kind == FindingKind::unpromised_wait && other.kind == FindingKind::lock_step_hang &&
            one.line == other.line) ||
           (one.kind == FindingKind::wrong_order && one.kernel == other.kernel &&
            (other.kind == FindingKind::missing_fence ||
             other.kind == FindingKind::divergent_barrier)) ||
           ((one.kind == FindingKind::wrong_order || one.kind == FindingKind::no_retry) &&
            one.kernel == other.kernel && other.kind == FindingKind::out_of_bounds);
}

void drop_explained(std::vector<ObservedFinding>& findings) {
    const auto is_explained = [&](const ObservedFinding& one) {
        return std::ranges::any_of(findings, [&](const ObservedFinding& other) {
            return is_explained_by(one.finding, other.finding);
        });
    };
    std::vector<ObservedFinding> rest;
    std::ranges::copy_if(findings, std::back_inserter(rest), std::not_fn(is_explained));
    findings = std::move(rest);
}

/// Sets apart results that are wrong in some schedule. They mean nothing if the kernel gets wrong results
/// without one, or if results are wrong and a kernel accesses memory outside a buffer: it can do that in a
/// function that others call, too.
void set_apart_schedules_of_wrong_kernels(SmallTrials& small) {
    std::vector<ObservedFinding>& findings = small.seen.findings;
    const bool has_stray = small.failure && has(small.seen, FindingKind::out_of_bounds);
    const auto apart =
        std::stable_partition(findings.begin(), findings.end(), [&](const ObservedFinding& one) {
            return one.finding.kind != FindingKind::wrong_order ||
                   (!has_stray && !small.failed_kernels.contains(one.finding.kernel));
        });
    small.unjudged.assign(apart, findings.end());
    findings.erase(apart, findings.end());
}

} // namespace

void sort_findings(SmallTrials& small) {
    put_causes_first(small.seen.findings);
    drop_explained(small.seen.findings);
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
    if (const KnownMistake* of_host = mistake_of_host(one, small))
        return of_host;
    return comes_from_other_kernel(one, small) ? &*small.kernel_mistake : nullptr;
}

const ObservedFinding* finding_before(const ObservedFinding& one, const Observation& seen) {
    const FindingKind kind = one.finding.kind;
    const bool waits = kind == FindingKind::endless_loop || kind == FindingKind::unpromised_wait;
    const bool has_index = kind == FindingKind::data_race || kind == FindingKind::out_of_bounds ||
                           kind == FindingKind::misaligned || kind == FindingKind::uninitialized;
    const auto comes_before = [&](const ObservedFinding& other) {
        const bool same_kernel = other.finding.kernel == one.finding.kernel;
        const bool spoils_what_it_waits_for = other.finding.kind == FindingKind::out_of_bounds ||
                                              other.finding.kind == FindingKind::uninitialized;
        return (waits && same_kernel && spoils_what_it_waits_for) ||
               (has_index && !same_kernel && other.finding.kind == FindingKind::divergent_barrier);
    };
    const auto found = std::ranges::find_if(seen.findings, comes_before);
    return found == seen.findings.end() ? nullptr : &*found;
}

bool can_follow_from_slip(const wire::Finding& finding) {
    return has(&Relations::of_slip, finding);
}

bool only_lacks_barriers(const Observation& seen) {
    return seen.failure.empty() && !seen.findings.empty() &&
           std::ranges::all_of(seen.findings, [](const ObservedFinding& one) {
               return one.finding.within_group || one.finding.kind == FindingKind::barrier_flag;
           });
}

bool can_spoil_others(const Observation& seen, const SmallTrials& small) {
    return std::ranges::any_of(seen.findings, [&](const auto& one) {
        return !one.finding.within_group && has(&Relations::spoils_others, one.finding) &&
               mistake_of_host(one, small) == nullptr;
    });
}

} // namespace grader
