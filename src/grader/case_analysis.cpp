/// How a case asks labgrind for mistakes in the kernels and for their work.

#include "grader/case.hpp"
#include "grader/labgrind_trial.hpp"
#include "grader/session.hpp"
#include "grader/small_trial_review.hpp"
#include "grader/temporarily.hpp"
#include "grader/verdicts.hpp"

#include <algorithm>
#include <utility>

namespace grader {
namespace {

constexpr const char* not_installed = "clang, which the kernel analysis needs, is not installed; "
                                      "run make setup, then build the lab again";

/// Adds what the kernels did to the result, for each kernel once.
void report_work(const std::vector<wire::WorkCounts>& work, const std::vector<report::Need>& needs,
                 report::Result& result) {
    for (const wire::WorkCounts& one : work) {
        if (std::ranges::any_of(result.work,
                                [&](const auto& known) { return known.kernel == one.kernel; }))
            continue;
        result.work.push_back(total_work(work, one.kernel));
        for (report::Need need : needs) {
            if (need.kernel.empty() && one.kernel == work.front().kernel)
                need.kernel = one.kernel;
            if (need.kernel == one.kernel)
                result.needs.push_back(need);
        }
    }
}

} // namespace

void Case::require_no_findings() {
    if (!session_.interpreter().installed())
        skip(not_installed);
    const auto ended = small_trials_->verdict();
    ++session_.running.calls; // trials that ran for other cases count for this one, too
    if (ended)
        end(*ended);
}

/// What labgrind observes in a call that is right and whose launches end. Otherwise ends the case.
Observation Case::observe_work(const std::function<void()>& body) {
    // The host would be endless here, too, and take long.
    const auto require_end = [&] {
        const SmallTrials& small = small_trials_->result();
        if (small.seen.failure.empty() && small.failure && small.failure->is_endless)
            end(*small.failure);
    };
    if (!session_.known.background_trials) // as long as the small trials run, no case has failed
        require_end();
    Interpreter& interpreter = session_.interpreter();
    Observation seen;
    const auto run = [&](bool only_judges, std::uint64_t most_instructions) {
        const Temporarily judged(interpreter.conditions.is_known_to_fail, only_judges);
        const Temporarily bounded(interpreter.conditions.how.most_instructions, most_instructions);
        interpreter.take_observation();
        auto ended = LabgrindTrial(calls_, interpreter).run(body);
        seen = interpreter.take_observation();
        return ended;
    };
    constexpr std::uint64_t usual_instructions = 20'000'000; // about two seconds
    auto ended = run(true, usual_instructions);
    if (ended || seen.cut_short || !seen.failure.empty())
        require_end();
    if (!seen.failure.empty()) {
        const std::string cause = small_trials_->cause_of(small_trials_->result().seen);
        if (!cause.empty())
            end({.status = report::Status::blocked, .message = cut_short, .follows = cause});
        ended = run(false, wire::Interpretation::most_computed);
    } else if (ended && small_trials_->cause_of_result(seen).empty()) {
        ended = run(false, wire::Interpretation::most_computed); // nothing else explains it
    }
    if (!seen.failure.empty())
        end_unobserved(seen);
    if (seen.cut_short)
        end({.status = report::Status::blocked,
             .message = cut_short,
             .follows = small_trials_->cause_of(seen)});
    if (has(seen, wire::FindingKind::out_of_bounds)) {
        small_trials_->result();
        CaseOutcome outside = small_trials_->failure_by(seen.findings.front());
        outside.follows = small_trials_->cause_of(seen);
        end(outside);
    }
    if (ended) {
        CaseOutcome here = *ended;
        here.follows = small_trials_->cause_of_result(seen);
        end(here);
    }
    return seen;
}

std::vector<wire::WorkCounts> Case::count_work(const std::function<void()>& body,
                                               const std::vector<report::Need>& needs) {
    if (!session_.interpreter().installed())
        skip(not_installed);
    std::vector<wire::WorkCounts> work = observe_work(body).work;
    report_work(work, needs, session_.result());
    return work;
}

std::vector<wire::WorkCounts> Case::count_work_at_ends(const std::string& parameters,
                                                       const std::function<void()>& body) {
    calls_.trials.current = parameters;
    session_.interpreter().take_observation();
    LabgrindTrial(calls_, session_.interpreter()).run_ends(body);
    Observation seen = session_.interpreter().take_observation();
    if (!seen.failure.empty())
        end_unobserved(seen);
    return std::move(seen.work);
}

} // namespace grader
