#include "grader/second_opinion.hpp"

#include "grader/case.hpp"
#include "grader/disagreement.hpp"
#include "grader/small_trial_review.hpp"
#include "grader/temporarily.hpp"
#include "grader/verdicts.hpp"
#include "report/causes.hpp"

#include <utility>

namespace grader {
namespace {

using wire::FindingKind;

/// The largest call, in bytes of arguments, that labgrind runs in lockstep after the device failed.
constexpr std::size_t most_in_lock_step = std::size_t{2} << 20;

} // namespace

std::optional<CaseOutcome> SecondOpinion::review(const std::function<void()>& body,
                                                 std::optional<CaseOutcome> failure,
                                                 int first_turn) {
    const Fallback fallback = session_.known.fallback;
    bool is_by_labgrind = fallback == Fallback::device_errs;
    if (fallback == Fallback::barrier_missing && failure &&
        failure->why.cause == Explanation::Cause::seen) {
        calls_.next.turn = first_turn;
        failure = run_by_labgrind(body);
        is_by_labgrind = true;
    }
    if (calls_.seen.order_is_unknown &&
        (!failure || failure->why.cause == Explanation::Cause::seen ||
         failure->why.cause == Explanation::Cause::order)) {
        if (auto missing = missing_order(body))
            failure = std::move(missing);
    }
    if (!failure) {
        if (is_by_labgrind && !std::exchange(has_remarked_, true))
            test_.remark(fallback == Fallback::device_errs
                             ? "labgrind ran this case because the device runs these kernels "
                               "incorrectly (see above)"
                             : "labgrind ran this case in lockstep because a barrier is missing "
                               "(see above)");
        return failure;
    }
    if (fallback == Fallback::none && failure->status == report::Status::fail &&
        failure->why.cause == Explanation::Cause::seen) {
        if (auto early = early_use(body, first_turn, *failure))
            return early;
        calls_.without_trace([&] {
            session_.known.fallback = whom_to_believe(
                [&] {
                    calls_.next.turn = first_turn; // the failure may depend on its guard value
                    body();
                },
                *failure);
        });
        if (session_.known.fallback != Fallback::none)
            return fall_back(body, *failure, first_turn);
        details_.add_warnings(*failure);
        details_.add_correction(*failure);
    }
    if (calls_.seen.order_is_unknown && !interpreter_.installed())
        failure->message += "\nsome commands of your host code have no defined order: with several "
                            "queues, or an out-of-order queue, only events order them";
    return failure;
}

/// How a trial ends for which labgrind begins to stand in.
std::optional<CaseOutcome> SecondOpinion::fall_back(const std::function<void()>& body,
                                                    const CaseOutcome& failure, int first_turn) {
    has_remarked_ = true;
    std::optional<CaseOutcome> ended;
    if (can_be_watched()) { // or the second opinion was right
        calls_.next.turn = first_turn;
        ended = run_by_labgrind(body);
    }
    const std::string reason = explain(session_.known.fallback, !ended.has_value());
    if (ended) {
        details_.add_correction(*ended);
        ended->message += "\n" + reason;
    } else {
        test_.remark(reason + "\non the device: " + report::first_line(failure.message));
    }
    return ended;
}

std::optional<CaseOutcome> SecondOpinion::run_by_labgrind(const std::function<void()>& body) {
    LabgrindTrial::Judged judged = trial_.judge(body, session_.known.fallback);
    if (judged.ended || judged.seen.clean())
        return std::move(judged.ended);
    if (!judged.seen.findings.empty())
        return small_trials_.failure_by(judged.seen.findings.front());
    return CaseOutcome{
        .status = report::Status::fail,
        .message = "labgrind, which runs the kernels instead of the device, did not finish: " +
                   judged.seen.failure,
        .file = calls_.last_file,
        .why = {.hints = Hints{}}};
}

/// How an interpreted trial ends in which two unordered commands of the host conflict: interpreted
/// launches show which bytes they use. On the device such a host can be right by luck. A trial with
/// more launches than any before is interpreted, too: the mistake may occur only there.
std::optional<CaseOutcome> SecondOpinion::missing_order(const std::function<void()>& body) {
    if (!interpreter_.installed() || session_.known.missing_order)
        return session_.known.missing_order;
    std::optional<CaseOutcome> failure;
    const std::size_t launches = record_.launches.size();
    if (can_be_watched() && launches > session_.known.most_launches_in_order) {
        session_.known.most_launches_in_order = launches;
        interpreter_.take_observation();
        calls_.without_trace([&] { failure = trial_.run_once(body); });
        interpreter_.take_observation();
    }
    if (!failure || failure->why.cause != Explanation::Cause::order)
        failure = small_trials_.result().failure;
    if (failure && failure->why.cause == Explanation::Cause::order)
        session_.known.missing_order = failure;
    return session_.known.missing_order;
}

/// Whether labgrind can watch the calls of the trial: it is slow with large inputs.
bool SecondOpinion::can_be_watched() const {
    return calls_.seen.largest_call <= most_watched_bytes;
}

/// Whether labgrind finds no mistake in the kernels if each of these transfers waits.
bool SecondOpinion::is_right_if_blocking(wire::Blocking transfers,
                                         const std::function<void()>& body) {
    if (!interpreter_.installed())
        return true;
    if (!can_be_watched())
        return small_trials_.result().seen.findings.empty();
    const Temporarily blocking(calls_.next.blocking, transfers);
    LabgrindTrial::Judged judged;
    calls_.without_trace([&] { judged = trial_.judge(body, Fallback::device_errs); });
    return judged.clean();
}

/// Whether a trial fails only if these transfers do not wait.
bool SecondOpinion::depends_on(wire::Blocking transfers, const std::function<void()>& body,
                               int first_turn) {
    const auto passes = [&](wire::Blocking blocking) {
        calls_.next.turn = first_turn;
        const Temporarily blocks(calls_.next.blocking, blocking);
        return !calls_.attempt_in(Mode::device, body);
    };
    const auto fails_again = [&] { // such a failure depends on luck
        const int tries = can_be_watched() ? 32 : 4;
        int passed = 0;
        while (passed < tries && passes(wire::Blocking::as_written))
            ++passed;
        return passed < tries;
    };
    bool is_early = false;
    // Twice, because a result that a race spoils is wrong only now and then.
    calls_.without_trace(
        [&] { is_early = passes(transfers) && fails_again() && passes(transfers); });
    return is_early && is_right_if_blocking(transfers, body);
}

/// How a trial ends whose `failure` disappears if every non-blocking write, or read, of the host waits:
/// then the host uses the memory before such a transfer has ended. Otherwise nothing.
std::optional<CaseOutcome> SecondOpinion::early_use(const std::function<void()>& body,
                                                    int first_turn, const CaseOutcome& failure) {
    if ((calls_.seen.died && !calls_.seen.crashed) || calls_.seen.any_order)
        return std::nullopt;
    if (interpreter_.installed() &&
        can_spoil_others(in_kernels_of(record_.launches, small_trials_.result().seen),
                         small_trials_.result()))
        return std::nullopt; // the result depends on luck for that reason
    const auto outcome = [&](const std::string& mistake, const std::string& advice,
                             const std::string& transfers) {
        return CaseOutcome{.status = report::Status::fail,
                           .message = mistake + " for " + calls_.trials.current + "\n" + advice +
                                      "\nwith blocking " + transfers +
                                      ", the result is right; without them: " +
                                      report::first_line(failure.message),
                           .why = {.cause = Explanation::Cause::host, .mistake = mistake}};
    };
    const bool crashed = calls_.seen.crashed; // a crash hides what the host reads
    const bool starts_reads = calls_.seen.starts_reads || crashed;
    if (!crashed && depends_on(wire::Blocking::writes, body, first_turn))
        return outcome(changes_source, keep_source, "writes");
    if (starts_reads && depends_on(wire::Blocking::reads, body, first_turn) &&
        session_.known.starts_reads) // as the calls that passed have shown
        return outcome(uses_early, wait_for_read, "reads");
    return std::nullopt;
}

/// Whether the small trials show that only barriers are missing, and the calls of the trial are
/// small enough to try what they do with barriers. A GPU needs large inputs to go wrong.
bool SecondOpinion::may_lack_barriers() {
    const SmallTrials& small = small_trials_.result();
    return calls_.seen.largest_call <= most_in_lock_step && !calls_.seen.died && !small.failure &&
           only_lacks_barriers(small.seen) && has(small.seen, FindingKind::data_race);
}

/// Whether the device fails in its own way: a kernel does not end there, or runs into a known bug, and
/// labgrind finds no mistake in the kernels and gets another result, which can be wrong, too.
bool SecondOpinion::fails_in_its_own_way(const std::function<void()>& body,
                                         const CaseOutcome& failure) {
    const bool hangs = !failure.hung_kernel.empty();
    const bool has_known_bug =
        !calls_.seen.died &&
        !known_bug(session_.device(), session_.kernel_file(calls_.last_file)).empty();
    if (!(hangs || has_known_bug) || calls_.seen.any_order || !can_be_watched() ||
        !small_trials_.result().seen.clean())
        return false;
    const LabgrindTrial::Judged judged = trial_.judge(body, Fallback::device_errs);
    return judged.seen.clean() && judged.seen.difference.empty() && !judged.seen.work.empty() &&
           (hangs || !judged.ended || judged.ended->message != failure.message);
}

/// Whether labgrind must stand in after a trial that fails on the device: it gets the right result,
/// finds no mistake but missing barriers, which another case reports, and the kernels behave the
/// same on every device. labgrind is slow with large inputs, so it runs them only if the device also
/// fails with small ones. Otherwise its findings are added to `failure`, because they may be the
/// cause.
Fallback SecondOpinion::whom_to_believe(const std::function<void()>& body, CaseOutcome& failure) {
    if (!interpreter_.installed() || calls_.seen.host_crashed)
        return Fallback::none;
    if (fails_in_its_own_way(body, failure))
        return Fallback::device_errs;
    const std::vector<wire::Launch> launches = record_.launches; // of the trial that fails
    const bool died = calls_.seen.died;
    const auto add_mistake_in_small_trials = [&] {
        const Observation& seen = small_trials_.result().seen;
        details_.add_mistake(died ? seen : in_kernels_of(launches, seen), failure);
    };
    // A submission can make every call take long, and failed small trials are evidence enough.
    if (session_.known.background_trials || session_.options().sealed)
        small_trials_.result();
    if (session_.known.small_trials &&
        (session_.known.small_trials->failure || has_endless(session_.known.small_trials->seen))) {
        add_mistake_in_small_trials();
        return Fallback::none;
    }
    const bool any_order = calls_.seen.any_order;
    const bool is_watched = can_be_watched();
    if (!is_watched &&
        (any_order || !(may_lack_barriers() || small_trials_.device_is_known_to_err()))) {
        add_mistake_in_small_trials();
        return Fallback::none;
    }
    const LabgrindTrial::Judged judged = trial_.judge(body, Fallback::device_errs);
    const Observation& seen = is_watched ? judged.seen : small_trials_.result().seen;
    const bool lacks_barriers = !died && only_lacks_barriers(seen) &&
                                has(small_trials_.result().seen, FindingKind::data_race) &&
                                trial_.judge(body, Fallback::barrier_missing).clean();
    // labgrind runs commands one after the other: its result does not excuse a host without an
    // order.
    if (!(judged.clean() || lacks_barriers) || seen.work.empty() || any_order) {
        details_.add_mistake(judged.seen, failure);
        return Fallback::none;
    }
    if (lacks_barriers && judged.seen.difference.empty())
        return Fallback::barrier_missing;
    const Observation known = in_kernels_of(launches, small_trials_.result().seen);
    const bool is_different = !judged.seen.difference.empty();
    if (is_different ? !known.findings.empty() : can_spoil_others(known, small_trials_.result())) {
        add_mistake_in_small_trials();
        return Fallback::none;
    }
    if (is_different) {
        if (!failure.is_by_host)
            details_.add_difference(judged.seen, failure);
        return Fallback::none;
    }
    // The wrong kernels of a device are wrong each time.
    if (!died && !calls_.attempt_in(Mode::device, body)) {
        failure.message += "\nif the same call is repeated, its result is right: does your host "
                           "code reuse something from an earlier call?";
        failure.why.hints = Hints{};
        return Fallback::none;
    }
    return Fallback::device_errs;
}

/// Why labgrind stands in.
std::string SecondOpinion::explain(Fallback reason, bool is_right) const {
    if (reason == Fallback::device_errs)
        return explain_disagreement(session_.device(), session_.kernel_file(calls_.last_file),
                                    is_right);
    return "a barrier is missing (see the case \"" + case_that_reports(FindingKind::data_race) +
           "\"), so the result is wrong on this device. If all work-items of a group take "
           "each step together, the result is right. labgrind runs them that way wherever the "
           "device gets a wrong result, so the missing barrier costs no points here";
}

} // namespace grader
