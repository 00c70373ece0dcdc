#include "grader/small_trial_review.hpp"

#include "grader/case.hpp"
#include "grader/hints.hpp"
#include "grader/verdicts.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace grader {
namespace {

using wire::FindingKind;

constexpr std::size_t max_findings_shown = 3;

/// Whether two races have the same reason, but for the numbers in it. The second one needs none of its own.
bool have_same_reason(const wire::Finding& first, const wire::Finding& second) {
    const auto without_numbers = [](std::string text) {
        std::erase_if(text, [](char one) { return one >= '0' && one <= '9'; });
        return text;
    };
    const bool needs_none = first.is_explained && !second.within_group && !second.is_explained;
    return first.within_group == second.within_group &&
           (needs_none ||
            without_numbers(first.explanation) == without_numbers(second.explanation));
}

} // namespace

const SmallTrials& SmallTrialReview::result() {
    if (!session_.known.small_trials) {
        const std::unique_ptr<BackgroundTrials> background_trials =
            std::move(session_.known.background_trials);
        SmallTrials small =
            background_trials ? background_trials->result() : small_trials_of(session_, {});
        sort_findings(small);
        for (const ObservedFinding& one : small.seen.findings)
            session_.result().findings.push_back(
                {to_string(one.finding.kind), session_.file_of(one.finding.kernel).name(),
                 one.finding.line, text_of(one.finding), one.finding.other_line});
        session_.known.small_trials = std::move(small);
    }
    return *session_.known.small_trials;
}

bool SmallTrialReview::fail_on_device() {
    std::optional<bool>& known = session_.known.device_fails_small_trials;
    if (!known)
        known = calls_.attempt_in(Mode::device, [&] { session_.lab().small_trials(test_); })
                    .has_value();
    return *known;
}

bool SmallTrialReview::device_is_known_to_err() {
    const SmallTrials& small = result();
    return (small.seen.clean() || only_lacks_barriers(small.seen)) && !small.seen.work.empty() &&
           !small.failure && fail_on_device();
}

CaseOutcome SmallTrialReview::failure_by(const ObservedFinding& one) const {
    CaseOutcome ended{.status = report::Status::fail,
                      .message = words_.describe(one),
                      .why = {.hints = hints_for(one.finding)}};
    words_.point_to(one.finding, ended);
    return ended;
}

std::string SmallTrialReview::cause_of(const Observation& seen) const {
    if (seen.findings.empty() || !session_.known.small_trials)
        return "";
    const wire::Finding& first = seen.findings.front().finding;
    const std::vector<ObservedFinding>& reported = session_.known.small_trials->seen.findings;
    const auto explains = [&](const ObservedFinding& one) {
        if (one.finding.kind == FindingKind::uninitialized &&
            first.kind == FindingKind::out_of_bounds)
            return one.finding.kernel != first.kernel; // the small trials show the same index
        return one.finding.kind == first.kind && one.finding.line == first.line &&
               &session_.file_of(one.finding.kernel) == &session_.file_of(first.kernel);
    };
    const auto found = std::ranges::find_if(reported, explains);
    const std::string name = found == reported.end() ? "" : case_that_reports(found->finding.kind);
    return name == record_.name ? "" : name;
}

std::string SmallTrialReview::cause_of_result(const Observation& seen) {
    const SmallTrials& small = result();
    if (!seen.findings.empty())
        return cause_of(seen);
    const Observation known = in_kernels_of(record_.launches, small.seen);
    return can_spoil_others(known, small) ? cause_of(known) : "";
}

/// The findings that this case reports, each mistake once: several kernels can call the function with
/// the mistake, and races of one line with several others have one cause.
std::vector<SmallTrialReview::Mistake> SmallTrialReview::reported(const SmallTrials& small) const {
    std::vector<Mistake> all;
    const auto note = [&](Mistake& known, const wire::Finding& finding) {
        const wire::Finding& first = known.finding.get().finding;
        if (finding.kind != first.kind || first.line == 0 ||
            &session_.file_of(first.kernel) != &session_.file_of(finding.kernel))
            return false;
        if (!first.cause.empty() && finding.cause == first.cause) {
            if (finding.line != first.line)
                known.more_lines.insert(finding.line);
            return true;
        }
        if (finding.line == first.line && finding.other_line == first.other_line)
            return true;
        if (finding.kind != wire::FindingKind::data_race ||
            (finding.line != first.line && finding.other_line != first.line &&
             !have_same_reason(first, finding)))
            return false;
        for (const int line : {finding.line, finding.other_line}) {
            if (line != 0 && line != first.line && line != first.other_line)
                known.more_lines.insert(line);
        }
        return true;
    };
    for (const ObservedFinding& one : small.seen.findings) {
        if (is_reported_by(record_.name, one.finding.kind) &&
            std::ranges::none_of(all, [&](Mistake& known) { return note(known, one.finding); }))
            all.push_back({one, {}});
    }
    return all;
}

/// The known mistake that a finding follows from, and the finding.
std::vector<std::string> SmallTrialReview::explain_by(const KnownMistake& known,
                                                      const ObservedFinding& one,
                                                      CaseOutcome& ended) const {
    std::vector<std::string> parts;
    if (text_of(one.finding).find(known.text) == std::string::npos)
        parts = words_.describe(known, "in your host code: ", "looks like: ");
    if (const auto found = host_place(known.before_place, known.frames, session_)) {
        ended.file = found->place.file;
        ended.line = found->place.line;
        parts.push_back(found->text);
    }
    parts.push_back(words_.describe(one));
    ended.why.mistake = known.cause;
    if (known.kernel.empty())
        ended.why.hints = known.hints;
    ended.why.cause = Explanation::Cause::host;
    return parts;
}

/// How the case ends if it reports one of the findings.
std::optional<CaseOutcome> SmallTrialReview::failure_by_findings(const SmallTrials& small) const {
    CaseOutcome ended;
    ended.status = report::Status::fail;
    std::vector<std::string> parts;
    for (const Mistake& mistake : reported(small)) {
        const ObservedFinding& one = mistake.finding;
        const bool is_first = parts.empty();
        if (const KnownMistake* known = is_first ? known_cause_of(one, small) : nullptr) {
            parts = explain_by(*known, one, ended);
            break;
        }
        if (is_first) {
            if (const ObservedFinding* before = finding_before(one, small.seen))
                ended.follows = case_that_reports(before->finding.kind);
            words_.point_to(one.finding, ended);
            if (one.finding.between_groups || !is_subject_of(record_.name, one.finding.kind))
                ended.why.hints = hints_for(one.finding);
        }
        ObservedFinding shown = one;
        const bool lacks_no_barrier = small.correction && !small.correction->inserts_barrier();
        if (lacks_no_barrier && ((is_first && one.finding.asks) || one.finding.within_group))
            shown.finding.explanation.clear(); // the correction says which mistake it is
        if (parts.size() < max_findings_shown)
            parts.push_back(words_.describe(shown, mistake.more_lines));
        if (is_first && words_.add_suspects(one.finding.kernel, small.correction,
                                            text_of(one.finding), parts)) {
            ended.why.hints = hints_for(*small.correction);
            ended.why.mistake = words_.mistake_of(*small.correction);
        }
    }
    ended.message = lines(parts);
    return parts.empty() ? std::nullopt : std::optional(ended);
}

std::optional<CaseOutcome> SmallTrialReview::verdict() {
    const SmallTrials& small = result();
    if (auto found = failure_by_findings(small))
        return found;
    if (!small.seen.failure.empty())
        end_unobserved(small.seen);
    if (small.seen.cut_short)
        return CaseOutcome{.status = report::Status::blocked,
                           .message = cut_short,
                           .follows = cause_of(small.seen)};
    if (small.failure && small.failure->why.cause == Explanation::Cause::not_implemented)
        return small.failure;
    const bool is_unjudged = std::ranges::any_of(small.unjudged, [&](const ObservedFinding& one) {
        return is_reported_by(record_.name, one.finding.kind);
    });
    if (small.failure && (is_unjudged || small.is_inconclusive() || !fail_on_device())) {
        CaseOutcome blocked = *small.failure;
        blocked.status = report::Status::blocked;
        blocked.message.insert(0, "no verdict until small inputs pass:\n");
        blocked.file.clear();
        blocked.line = 0;
        blocked.finding.reset();
        blocked.why.cause = Explanation::Cause::seen;
        blocked.why.hints.reset();
        blocked.follows = cause_of(small.seen);
        return blocked;
    }
    if (small.seen.work.empty())
        end(report::Status::fail, "no kernel was launched");
    return std::nullopt;
}

} // namespace grader
