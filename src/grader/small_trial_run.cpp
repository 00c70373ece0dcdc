#include "grader/small_trial_run.hpp"

#include "grader/case.hpp"
#include "grader/session.hpp"
#include "grader/temporarily.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <set>
#include <span>
#include <utility>

namespace grader {

using wire::FindingKind;

namespace {

/// The most trials whose failure is explained: the first one counts. Beside findings, others can matter.
constexpr int most_explained = 3;
constexpr int most_explained_beside_findings = 5;

/// After a mistake, no trial follows one with more accesses to memory than these, which take seconds.
constexpr std::uint64_t most_accesses_after_mistake = 400'000;

/// The accesses to memory in all launches.
std::uint64_t accesses_of(const Observation& seen) {
    std::uint64_t all = 0;
    for (const wire::WorkCounts& work : seen.work)
        all += work.local_loads + work.local_stores + work.global_loads + work.global_stores;
    return all;
}

bool is_by_kernel(const CaseOutcome& failure) {
    return failure.why.cause == Explanation::Cause::seen && !failure.is_by_host &&
           !failure.is_endless;
}

/// Whether groups of one launch race, one of which reads.
bool races_between_groups(const Observation& seen) {
    return std::ranges::any_of(seen.findings, [](const ObservedFinding& one) {
        return one.finding.kind == FindingKind::data_race && !one.finding.within_group &&
               !one.finding.both_store;
    });
}

/// Removes what schedules show if another finding has the same known cause.
void remove_known_causes(std::vector<ObservedFinding>& findings) {
    std::set<std::string> known;
    for (const ObservedFinding& one : findings) {
        if (one.finding.kind != FindingKind::wrong_order)
            known.insert(one.finding.cause);
    }
    known.erase("");
    std::erase_if(findings, [&](const ObservedFinding& one) {
        return one.finding.kind == FindingKind::wrong_order && known.contains(one.finding.cause);
    });
}

/// Explains a wrong result in another schedule, which ended a trial.
void explain(wire::Finding& finding, CaseOutcome ended) {
    if (ended.is_by_host) { // no line of the kernel is wrong
        finding.message = "the result is wrong in some schedules, because of the mistake in your "
                          "host code";
        finding.explanation.clear();
        finding.line = finding.other_line = 0;
        finding.may_be_elsewhere = false;
        return;
    }
    std::vector<std::string>& guesses = ended.why.guesses;
    if (!finding.cause.empty())
        guesses.clear();
    if (guesses.size() == 1) { // it says more than the schedule that leads to the result
        finding.message = "looks like: " + guesses.front() + "\n" + finding.message;
        guesses.clear();
        if (finding.may_be_elsewhere && finding.other_line != 0)
            std::swap(finding.line, finding.other_line); // what goes on, not what waits
    }
    finding.explanation += "\n" + without_context(ended);
}

} // namespace

/// Runs `body` as trial `number`, with inputs and a guard value of its own: it runs the same way whatever
/// ran before it.
void SmallTrialRun::run_alone(std::size_t number, std::size_t turn,
                              const std::function<void()>& body) {
    const Temporarily own(test_.random(), random_for(session_.options().seed,
                                                     "small trial " + std::to_string(number)));
    calls_.next.turn = static_cast<int>(turn);
    body();
}

void SmallTrialRun::run_all() {
    trials_ = 0;
    const Temporarily own(test_.random(), random_for(session_.options().seed, "small trials"));
    session_.lab().small_trials(test_);
}

std::size_t SmallTrialRun::count() {
    share_.first = std::numeric_limits<std::size_t>::max();
    run_all();
    return trials_;
}

/// Whether another session runs this trial.
bool SmallTrialRun::leaves_out(std::size_t number) {
    if (number < share_.first)
        return true;
    const bool is_clean =
        !found_.failure && !found_.host_mistake && interpreter_.observation().clean();
    if (share_.ends_unclean)
        return number >= share_.end || !is_clean;
    if (number < share_.end || !is_clean)
        return false;
    if (!others_are_clean_)
        others_are_clean_ = share_.others_are_clean();
    return *others_are_clean_;
}

/// How the trial ends. If many have failed, its explanation only matters beside findings.
std::optional<CaseOutcome> SmallTrialRun::judge(const std::function<void()>& trial) {
    // What follows from a barrier that not all reach takes long, and explains nothing.
    const bool is_enough = found_.failed >= most_explained_beside_findings ||
                           interpreter_.has_seen(FindingKind::divergent_barrier);
    if (!is_enough &&
        (found_.failed < most_explained || !interpreter_.observation().findings.empty()))
        return trial_.run(trial);
    const Observation before = interpreter_.observation();
    {
        const Temporarily known(interpreter_.conditions.is_known_to_fail, true);
        std::optional<CaseOutcome> failure = trial_.run(trial);
        const Observation& seen = interpreter_.observation();
        if (!failure || is_enough || (!unwritten_element(seen) && seen.findings.empty()))
            return failure;
    }
    interpreter_.set_observation(before);
    return trial_.run(trial);
}

void SmallTrialRun::collect(const std::function<void()>& body) {
    const std::size_t number = trials_++;
    const auto trial = [&] { run_alone(number, number, body); };
    if (corrections_.is_trying())
        return corrections_.try_trial(number, trial);
    if (leaves_out(number))
        return;
    const bool host_hung = found_.failure && session_.host_hung();
    if (host_hung || has_endless(interpreter_.observation()) || takes_long_)
        return; // the next trial would take as long and show the same
    const std::uint64_t before = accesses_of(interpreter_.observation());
    const std::optional<CaseOutcome> failure = judge(trial);
    takes_long_ = (failure || !interpreter_.observation().findings.empty()) &&
                  accesses_of(interpreter_.observation()) > before + most_accesses_after_mistake;
    if (failure && failure->why.cause == Explanation::Cause::seen && !failure->message.empty())
        // Buffers hold something else before they are written. What was only judged has no message.
        blame_unwritten([&] { run_alone(number, number + 1, body); }, *failure);
    ++(failure ? found_.failed : found_.passed);
    if (failure && failure->why.cause == Explanation::Cause::seen) {
        for (const wire::Launch& launch : record_.launches)
            found_.failed_kernels.insert(launch.kernel);
    }
    if (failure && !found_.failure)
        found_.failure = failure;
    const bool may_be_slip =
        failure ? is_by_kernel(*failure) : !interpreter_.observation().findings.empty();
    if (interpreter_.conditions.change == nullptr && may_be_slip && !corrections_.has_failure() &&
        !share_.ends_unclean)
        corrections_.note_failure(number, trial);
    else if (!failure)
        corrections_.note_pass(record_.launches);
    if (failure && !failure->why.explained_kernel.empty() && !found_.kernel_mistake)
        found_.kernel_mistake = {.text = failure->why.guesses.front(),
                                 .cause = failure->why.mistake,
                                 .kernel = failure->why.explained_kernel};
    if (!failure)
        try_other_schedules(trial);
    note_host_mistake();
}

/// Findings in the kernels can follow from a mistake of the host in the same trial.
void SmallTrialRun::note_host_mistake() {
    const auto mistake = std::exchange(calls_.first_host_mistake, std::nullopt);
    if (!mistake || (mistake->lacks_launch && races_between_groups(interpreter_.observation())))
        return;
    if (!found_.host_mistake)
        found_.host_mistake = mistake;
    found_.host_mistakes.emplace(interpreter_.trial(), *mistake);
}

/// Makes the use of an element that nothing has written a finding if the trial fails differently
/// `with_other_values` there. Indices of other kernels that change with these values follow from it.
void SmallTrialRun::blame_unwritten(const std::function<void()>& with_other_values,
                                    const CaseOutcome& failure) {
    Observation seen = interpreter_.observation();
    const std::optional<wire::Finding> unwritten = unwritten_element(seen);
    const auto is_stray = [&](const ObservedFinding& one) {
        return one.finding.kind == FindingKind::out_of_bounds &&
               one.finding.kernel != unwritten->kernel && one.trial == interpreter_.trial();
    };
    const auto is_known = [](const ObservedFinding& one) {
        return one.finding.kind == FindingKind::uninitialized;
    };
    if (!unwritten || !std::ranges::all_of(seen.findings, [&](const ObservedFinding& one) {
            return is_stray(one) || is_known(one);
        }))
        return;
    const auto strays = static_cast<std::size_t>(std::ranges::count_if(seen.findings, is_stray));
    if (strays == 0 && !seen.findings.empty())
        return;
    interpreter_.set_observation({});
    const std::optional<CaseOutcome> other = trial_.run_once(with_other_values);
    const auto message = [](const ObservedFinding& one) { return text_of(one.finding); };
    const bool has_other_indices =
        !std::ranges::equal(std::span(seen.findings).last(strays),
                            interpreter_.observation().findings, {}, message, message);
    const bool fails_differently = !other || other->message != failure.message;
    if (strays == 0 ? fails_differently : has_other_indices) {
        std::erase_if(seen.findings, is_stray);
        if (seen.findings.empty())
            seen.findings.push_back({*unwritten, interpreter_.trial()});
    }
    interpreter_.set_observation(std::move(seen));
}

/// The first use in this trial of an element that nothing has written, or such an element that is
/// left for the host.
std::optional<wire::Finding> SmallTrialRun::unwritten_element(const Observation& seen) const {
    const auto use = seen.unwritten.find(interpreter_.trial());
    if (use != seen.unwritten.end())
        return use->second;
    const std::optional<IncompleteBuffer>& left = interpreter_.incomplete_buffer();
    if (!left)
        return std::nullopt;
    wire::Finding finding;
    finding.kind = FindingKind::uninitialized;
    finding.kernel = left->kernel;
    finding.line = session_.file_of(left->kernel).line_of_kernel(left->kernel);
    finding.message = "argument " + std::to_string(left->argument) + " of " + left->kernel +
                      " has " + count_of(left->elements, "element") + ": nothing writes element " +
                      std::to_string(left->first) + ", but the result depends on it" +
                      groups_without_store(left->work);
    return finding;
}

/// Adds the explanations that are about a line of `finding`. Returns whether there are any.
bool SmallTrialRun::add_those_about(const wire::Finding& finding,
                                    const std::vector<ObservedFinding>& explanations) {
    bool has_added = false;
    for (const ObservedFinding& one : explanations) {
        if (one.finding.line != finding.line && one.finding.line != finding.other_line)
            continue;
        interpreter_.add(one);
        has_added = true;
    }
    return has_added;
}

/// How the trial ends in a schedule, without an explanation.
std::optional<CaseOutcome> SmallTrialRun::judge_in(const wire::Schedule& schedule,
                                                   const std::function<void()>& body) {
    const Temporarily known(interpreter_.conditions.is_known_to_fail, true);
    return trial_.run_in_schedule(body, schedule);
}

/// Tries the schedules that give another result than the usual one. That result can be right, too;
/// a wrong one is a finding.
void SmallTrialRun::try_other_schedules(const std::function<void()>& body) {
    const std::vector<ObservedFinding> explanations = interpreter_.take_schedule_explanations();
    for (const wire::Schedule& schedule : interpreter_.take_other_schedules()) {
        if (interpreter_.has_seen(FindingKind::wrong_order) ||
            (!explanations.empty() && interpreter_.has_seen(FindingKind::no_retry)))
            return;
        std::optional<CaseOutcome> ended = judge_in(schedule, body);
        if (!ended)
            continue;
        interpreter_.take_schedule_finding();
        if (auto explained = trial_.run_in_schedule(body, schedule, true))
            ended = std::move(explained);
        std::optional<ObservedFinding> finding = interpreter_.take_schedule_finding();
        if (finding && add_those_about(finding->finding, explanations))
            return;
        if (!finding && calls_.host_mistake)
            continue; // the host makes the result wrong, not the schedule
        if (!finding) {
            finding.emplace();
            finding->finding.kind = FindingKind::wrong_order;
            finding->finding.kernel =
                record_.launches.empty() ? "" : record_.launches.back().kernel;
            finding->finding.message = "the result is wrong in one of the schedules";
            finding->trial = interpreter_.trial();
        }
        explain(finding->finding, std::move(*ended));
        interpreter_.add(std::move(*finding));
    }
}

void SmallTrialRun::collect_ends(const std::function<void()>& body) {
    const std::size_t number = trials_++;
    if (corrections_.is_trying() || leaves_out(number) || has_endless(interpreter_.observation()))
        return;
    // A host that fails here also fails on the device.
    trial_.run_ends([&] { run_alone(number, number, body); });
    note_host_mistake();
}

SmallTrials SmallTrialRun::run() {
    found_ = {};
    takes_long_ = false;
    calls_.trials = {};
    calls_.first_host_mistake.reset();
    interpreter_.take_observation();
    Conditions& conditions = interpreter_.conditions;
    const Temporarily seeded(conditions.how.seed, session_.options().seed + 1);
    auto ended = trial_.run_once([&] { run_all(); });
    note_host_mistake();
    if (!found_.failure)
        found_.failure = std::move(ended);
    found_.seen = interpreter_.take_observation();
    remove_known_causes(found_.seen.findings);
    if (can_be_corrected())
        found_.correction = corrections_.find([&] { run_all(); }, found_.seen);
    return std::exchange(found_, {});
}

/// Whether one of the kernels' mistakes could be a slip that a small change corrects.
bool SmallTrialRun::can_be_corrected() const {
    const auto is_of_slip = [](const ObservedFinding& one) {
        return can_follow_from_slip(one.finding);
    };
    return corrections_.has_failure() && (!found_.failure || is_by_kernel(*found_.failure)) &&
           (!found_.host_mistake || !found_.host_mistake->kernel.empty()) &&
           found_.seen.failure.empty() && !session_.host_hung() &&
           std::ranges::all_of(found_.seen.findings, is_of_slip);
}

SmallTrials small_trials_of(Session& session,
                            const std::vector<std::unique_ptr<Session>>& helpers) {
    report::Case record;
    record.name = "small trials";
    Case test(session, record);
    if (helpers.empty())
        return test.run_small_trials({});
    const std::size_t count = test.count_small_trials();
    const auto begin_of = [&](std::size_t share) { return share * count / (helpers.size() + 1); };
    std::vector<std::future<bool>> are_clean;
    for (std::size_t i = 1; i <= helpers.size(); ++i)
        are_clean.push_back(std::async(std::launch::async, [&, i] {
            report::Case others = record;
            return Case(*helpers[i - 1], others)
                .run_small_trials(
                    {.first = begin_of(i), .end = begin_of(i + 1), .ends_unclean = true})
                .are_clean();
        }));
    const auto others_are_clean = [&] {
        return std::ranges::all_of(are_clean, [](std::future<bool>& one) {
            try {
                return one.get();
            } catch (...) { // what stops a helper stops this session, too, if it matters
                return false;
            }
        });
    };
    return test.run_small_trials({.end = begin_of(1), .others_are_clean = others_are_clean});
}

} // namespace grader
