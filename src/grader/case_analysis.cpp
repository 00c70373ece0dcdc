/// What a case does with the interpreted run of its kernels: the second opinion on a failed trial,
/// findings, counts of work.

#include "grader/case.hpp"
#include "grader/disagreement.hpp"
#include "grader/hints.hpp"
#include "grader/session.hpp"
#include "grader/verdicts.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace grader {
namespace {

using wire::FindingKind;

/// Most bytes of arguments of a call that is watched: eight thousand elements take about a second.
constexpr std::size_t most_watched_bytes = std::size_t{40} << 10;

/// `seen` without the findings in kernels that are not in `launches`: they cannot be the cause of what
/// these launches compute.
Observation in_kernels_of(const std::vector<wire::Launch>& launches, Observation seen) {
    const auto is_elsewhere = [&](const ObservedFinding& one) {
        return std::none_of(launches.begin(), launches.end(), [&](const wire::Launch& launch) {
            return launch.kernel == one.finding.kernel;
        });
    };
    const auto rest = std::remove_if(seen.findings.begin(), seen.findings.end(), is_elsewhere);
    seen.findings.erase(rest, seen.findings.end());
    return seen;
}

constexpr std::size_t max_findings_shown = 3;

/// Whether a mistake of the host in the same trial explains the finding: an index outside a buffer
/// that is too small or the wrong one, memory that it should have written, groups that use the same
/// element because of a wrong index, or a wrong result in some schedule.
bool comes_from_host(const ObservedFinding& one, const SmallTrials& small) {
    const FindingKind kind = one.finding.kind;
    const bool can_follow =
        kind == FindingKind::out_of_bounds || kind == FindingKind::uninitialized ||
        kind == FindingKind::reads_write_only || kind == FindingKind::wrong_order ||
        kind == FindingKind::endless_loop || kind == FindingKind::unpromised_wait ||
        kind == FindingKind::lock_not_free ||
        (kind == FindingKind::data_race && one.finding.between_groups);
    return can_follow && small.trials_with_host_mistakes.count(one.trial) != 0;
}

/// Whether a mistake of the kernels that is known from wrong results explains the finding.
bool comes_from_other_kernel(const ObservedFinding& one, const SmallTrials& small) {
    const FindingKind kind = one.finding.kind;
    const bool can_follow = kind == FindingKind::out_of_bounds ||
                            kind == FindingKind::uninitialized || kind == FindingKind::data_race;
    return can_follow && !small.kernel_mistake.text.empty() &&
           one.finding.kernel == small.kernel_mistake.kernel;
}

/// Whether there are findings, all of which are barriers that are missing or have the wrong flag.
/// They change nothing if the work-items of a group run in lock step.
bool only_lacks_barriers(const Observation& seen) {
    return seen.failure.empty() && !seen.findings.empty() &&
           std::all_of(seen.findings.begin(), seen.findings.end(), [](const ObservedFinding& one) {
               return one.finding.within_group || one.finding.kind == FindingKind::barrier_flag;
           });
}

/// Whether `seen`, in the small trials, has a mistake of the kernels that can make any later result wrong.
/// Missing barriers do not count: each result shows whether they matter.
bool can_spoil_others(const Observation& seen, const SmallTrials& small) {
    return std::any_of(seen.findings.begin(), seen.findings.end(), [&](const auto& one) {
        const FindingKind kind = one.finding.kind;
        return !one.finding.within_group && kind != FindingKind::barrier_flag &&
               kind != FindingKind::lock_step_hang && !comes_from_host(one, small);
    });
}

/// A wrong index can make the flag of a barrier look wrong, too, but the race that it causes shows it.
void put_races_before_flags(std::vector<ObservedFinding>& findings) {
    std::stable_partition(findings.begin(), findings.end(), [](const ObservedFinding& one) {
        return one.finding.kind != FindingKind::barrier_flag;
    });
}

/// A loop that hangs work-items in lock step needs no second finding because they might not take turns.
void drop_waits_of_hangs(std::vector<ObservedFinding>& findings) {
    const auto hangs_too = [&](const ObservedFinding& wait) {
        return wait.finding.kind == FindingKind::unpromised_wait &&
               std::any_of(findings.begin(), findings.end(), [&](const ObservedFinding& one) {
                   return one.finding.kind == FindingKind::lock_step_hang &&
                          one.finding.line == wait.finding.line;
               });
    };
    std::vector<ObservedFinding> rest;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(rest),
                 [&](const ObservedFinding& one) { return !hangs_too(one); });
    findings = std::move(rest);
}

constexpr const char* not_installed = "not installed: the clang that the kernel analysis needs. "
                                      "Run make setup, then build the lab again";

} // namespace

struct Case::Judged {
    std::optional<Ended> ended; ///< how it failed; empty if its result is right in every schedule
    Observation seen;

    bool clean() const { return !ended && seen.clean(); }
};

/// Runs a trial of several that continue after a failure.
void Case::run_small_trial(const std::function<void()>& body) {
    const bool host_hung = *first_failure_ && session_.host_hung();
    if (host_hung || session_.interpreter().has_seen(FindingKind::endless_loop))
        return; // the next trial would take as long and show the same
    const Start start{random_, turn_};
    const std::optional<Ended> failure = interpret(body);
    if (failure && failure->cause == Ended::Cause::seen)
        blame_unwritten(body, start, *failure);
    ++(failure ? small_failed_ : small_passed_);
    if (failure && !*first_failure_)
        *first_failure_ = failure;
    if (failure && !failure->explained_kernel.empty() && small_kernel_mistake_.text.empty())
        small_kernel_mistake_ = {failure->guesses.front(), failure->mistake,
                                 failure->explained_kernel};
    if (!failure)
        try_other_orders(body);
}

/// Makes the use of an element that nothing has written a finding if the trial, which began like
/// this, fails differently with other values there.
void Case::blame_unwritten(const std::function<void()>& body, const Start& start,
                           const Ended& failure) {
    Observation seen = session_.interpreter().observation();
    const std::optional<wire::Finding> finding = unwritten_element(seen);
    if (!finding || !seen.findings.empty())
        return;
    const Start next{random_, turn_};
    random_ = start.random;
    turn_ = start.turn + 1; // this changes what buffers hold before they are written
    const std::optional<Ended> other = attempt_in(Mode::interpreter, body);
    random_ = next.random;
    turn_ = next.turn;
    if (!other || other->message != failure.message)
        seen.findings.push_back({*finding, trial_});
    session_.interpreter().set_observation(std::move(seen));
}

/// The first use in this trial of an element that nothing has written, or such an element that is
/// left for the host.
std::optional<wire::Finding> Case::unwritten_element(const Observation& seen) const {
    const auto use = seen.unwritten.find(trial_);
    if (use != seen.unwritten.end())
        return use->second;
    const std::optional<IncompleteBuffer>& left = session_.interpreter().incomplete_buffer();
    if (!left)
        return std::nullopt;
    wire::Finding finding;
    finding.kind = FindingKind::uninitialized;
    finding.kernel = left->kernel;
    finding.line = file_of(left->kernel).line_of_kernel(left->kernel);
    finding.message = "nothing writes element " + std::to_string(left->first) + " of the " +
                      std::to_string(left->elements) + " in argument " +
                      std::to_string(left->argument) + " of " + left->kernel +
                      ", and the result depends on it";
    return finding;
}

void Case::run_trial(const std::string& parameters, const std::function<void()>& body) {
    if (!trial_.empty()) {
        last_passed_ = trial_;
        ++passed_trials_;
    }
    trial_ = parameters;
    session_.interpreter().set_trial(parameters);
    if (first_failure_ != nullptr)
        return run_small_trial(body);
    if (mode_ != Mode::device) {
        body();
        return;
    }
    largest_call_ = 0;
    any_order_ = false;
    order_is_unknown_ = false;
    died_ = false;
    const int first_turn = turn_;
    const StandIn stand_in = session_.stand_in;
    std::optional<Ended> failure =
        stand_in == StandIn::none ? attempt_in(Mode::device, body) : run_by_labgrind(body);
    if (order_is_unknown_ && (!failure || failure->cause == Ended::Cause::seen)) {
        if (auto missing = missing_order(body))
            failure = std::move(missing);
    }
    if (!failure) {
        if (stand_in == StandIn::for_device && record_.message.empty())
            remark("run by labgrind: the device gets these kernels wrong, see above");
        if (stand_in == StandIn::for_barrier && record_.message.empty())
            remark("run by labgrind in lock step: a barrier is missing, see above");
        return;
    }
    if (stand_in == StandIn::none && failure->status == report::Status::fail &&
        failure->cause == Ended::Cause::seen) {
        if (const auto early = early_write(body, first_turn, *failure))
            conclude(*early);
        without_trace([&] {
            session_.stand_in = second_opinion(
                [&] {
                    turn_ = first_turn; // the failure may depend on the guard value of this turn
                    body();
                },
                *failure);
        });
        if (session_.stand_in != StandIn::none) {
            remark(explain(session_.stand_in) +
                   "\non the device: " + failure->message.substr(0, failure->message.find('\n')));
            return;
        }
    }
    if (any_order_ && failure->cause != Ended::Cause::order)
        failure->message += "\nyour host code uses several queues, or an out-of-order queue: only "
                            "events order their commands";
    conclude(*failure);
}

/// Runs `body` interpreted, and returns how it failed. A wrong result is no failure if it comes from
/// a race alone, so that the result is right in lock step: the case that reports races fails, and
/// the others can judge the rest. After a race, lock step comes first, because a failure takes long
/// to explain.
std::optional<Ended> Case::interpret(const std::function<void()>& body) {
    Interpreter& interpreter = session_.interpreter();
    const Observation before = interpreter.observation();
    const auto is_right_in_lock_step = [&] {
        Observation seen = interpreter.observation();
        interpreter.set_observation(before);
        if (!attempt_in_lock_step(body))
            return true;
        interpreter.set_observation(std::move(seen));
        return false;
    };
    const bool raced = interpreter.has_seen(FindingKind::data_race);
    if (raced && is_right_in_lock_step())
        return std::nullopt;
    std::optional<Ended> ended = attempt_in(Mode::interpreter, body);
    if (!raced && ended && ended->cause == Ended::Cause::seen &&
        interpreter.has_seen(FindingKind::data_race) && is_right_in_lock_step())
        return std::nullopt;
    return ended;
}

/// The same with the work-items of each group in lock step.
std::optional<Ended> Case::attempt_in_lock_step(const std::function<void()>& body) {
    session_.interpreter().set_in_lock_step(true);
    std::optional<Ended> ended = attempt_in(Mode::interpreter, body);
    session_.interpreter().set_in_lock_step(false);
    return ended;
}

/// Tries the schedules that give another result than the usual one. That result can be right, too;
/// a wrong one is a finding.
void Case::try_other_orders(const std::function<void()>& body) {
    Interpreter& interpreter = session_.interpreter();
    const std::vector<ObservedFinding> explanations = interpreter.take_order_explanations();
    for (const int order : interpreter.take_other_orders()) {
        const auto known = explanations.empty() ? FindingKind::wrong_order : FindingKind::no_retry;
        if (interpreter.has_seen(known))
            return;
        interpreter.set_order({order});
        std::optional<Ended> ended = attempt_in(Mode::interpreter, body);
        if (ended && !explanations.empty()) {
            interpreter.set_order({});
            for (const ObservedFinding& one : explanations)
                interpreter.add(one);
            return;
        }
        if (ended) {
            interpreter.set_order({order, true});
            attempt_in(Mode::interpreter, body);
        }
        interpreter.set_order({});
        if (!ended)
            continue;
        ObservedFinding finding = interpreter.order_finding();
        finding.finding.message += ":\n" + without_context(*ended);
        interpreter.add(std::move(finding));
    }
}

bool Case::is_contended() const { return session_.interpreter().contended(); }

void Case::watch_ends(const std::string& parameters, const std::function<void()>& body) {
    Interpreter& interpreter = session_.interpreter();
    if (mode_ != Mode::interpreter || is_contended() ||
        interpreter.has_seen(FindingKind::endless_loop))
        return;
    interpreter.set_trial(parameters);
    interpreter.set_ends_only(true);
    attempt_in(Mode::interpreter, body); // a host that fails here also fails on the device
    interpreter.set_ends_only(false);
}

/// How an interpreted trial ends in which two unordered commands of the host conflict: interpreted
/// launches show which bytes they use. On the device such a host can be right by luck. A trial with
/// more launches than any before is interpreted, too: the mistake may occur only there.
std::optional<Ended> Case::missing_order(const std::function<void()>& body) {
    if (!session_.interpreter().installed() || session_.missing_order)
        return session_.missing_order;
    std::optional<Ended> failure;
    const std::size_t launches = record_.launches.size();
    if (largest_call_ <= most_watched_bytes && launches > session_.most_launches_in_order) {
        session_.most_launches_in_order = launches;
        session_.interpreter().take_observation();
        without_trace([&] { failure = attempt_in(Mode::interpreter, body); });
        session_.interpreter().take_observation();
    }
    if (!failure || failure->cause != Ended::Cause::order)
        failure = small_trials().failure;
    if (failure && failure->cause == Ended::Cause::order)
        session_.missing_order = failure;
    return session_.missing_order;
}

/// Whether labgrind finds no mistake in the kernels if every non-blocking write of the host waits.
bool Case::is_right_with_blocking_writes(const std::function<void()>& body) {
    if (!session_.interpreter().installed())
        return true;
    if (largest_call_ > most_watched_bytes)
        return small_trials().seen.findings.empty();
    blocking_writes_ = true;
    Judged judged;
    without_trace([&] { judged = judge_by_labgrind(body, StandIn::for_device); });
    blocking_writes_ = false;
    return judged.clean();
}

/// How a trial ends whose `failure` disappears if every non-blocking write of the host waits: then
/// the host changes or frees memory that such a write has not read yet. Otherwise nothing.
std::optional<Ended> Case::early_write(const std::function<void()>& body, int first_turn,
                                       const Ended& failure) {
    if (died_ || any_order_)
        return std::nullopt;
    if (session_.interpreter().installed() &&
        can_spoil_others(in_kernels_of(record_.launches, small_trials().seen), small_trials()))
        return std::nullopt; // the result depends on luck for that reason
    const auto passes = [&](bool blocking) {
        turn_ = first_turn;
        blocking_writes_ = blocking;
        const bool passed = !attempt_in(Mode::device, body);
        blocking_writes_ = false;
        return passed;
    };
    const auto fails_again = [&] { // such a failure depends on luck
        constexpr int tries = 4;
        int passed = 0;
        while (passed < tries && passes(false))
            ++passed;
        return passed < tries;
    };
    bool is_early = false;
    // Twice, because a result that a race spoils is wrong only now and then.
    without_trace([&] { is_early = passes(true) && fails_again() && passes(true); });
    if (!is_early || !is_right_with_blocking_writes(body))
        return std::nullopt;
    return Ended{report::Status::fail,
                 changes_source + std::string(" for ") + trial_ + "\n" + explain_changed_source() +
                     "\nif every write waits, the result is right; as it is: " +
                     failure.message.substr(0, failure.message.find('\n')),
                 "",
                 0,
                 Ended::Cause::host,
                 std::nullopt,
                 "",
                 changes_source};
}

/// Adds what it means if labgrind finds no mistake in the kernel that hung.
void Case::tell_slowness(Ended& failure) const {
    const std::optional<SmallTrials>& small = session_.small_trials;
    if (failure.hung_kernel.empty() || !small || small->failure || !small->seen.clean())
        return;
    failure.message += "\nlabgrind ran all kernels to their end with small inputs, so " +
                       failure.hung_kernel +
                       " is probably too slow, not endless: does one work-item do what many "
                       "should share?";
}

/// Runs `body` with launches executed by `mode`. Returns how it ended, or nothing if it passed.
std::optional<Ended> Case::attempt_in(Mode mode, const std::function<void()>& body) {
    const Mode mode_before = std::exchange(mode_, mode);
    const bool forgivable_before = std::exchange(forgivable_, true);
    std::optional<Ended> ended;
    try {
        body();
    } catch (const Ended& how) {
        ended = how;
    }
    mode_ = mode_before;
    forgivable_ = forgivable_before;
    return ended;
}

std::size_t Case::affordable(std::size_t elements) const {
    // In groups of 64, more groups than 16 bits can count.
    constexpr std::size_t most_on_processor = (std::size_t{1} << 22) + 1;
    constexpr std::size_t most_for_labgrind = (std::size_t{1} << 18) + 1;
    constexpr std::size_t least = (std::size_t{1} << 16) + 1;
    const bool is_interactive = !session_.options().sealed;
    if (session_.stand_in != StandIn::none)
        return std::min(elements, is_interactive ? least : most_for_labgrind);
    return is_interactive && device().type != "GPU" ? std::min(elements, most_on_processor)
                                                    : elements;
}

/// Runs the launches of `body` with labgrind: for a missing barrier in lock step and unwatched.
Case::Judged Case::judge_by_labgrind(const std::function<void()>& body, StandIn reason) {
    Interpreter& interpreter = session_.interpreter();
    interpreter.take_observation();
    interpreter.watch_up_to(reason == StandIn::for_barrier ? 0 : most_watched_bytes);
    Judged judged;
    judged.ended = reason == StandIn::for_barrier ? attempt_in_lock_step(body)
                                                  : attempt_in(Mode::interpreter, body);
    judged.seen = interpreter.take_observation();
    if (!judged.ended && !judged.seen.contended_lines.empty())
        judged.ended = while_contended([&] { return attempt_in(Mode::interpreter, body); });
    interpreter.watch_up_to(std::numeric_limits<std::size_t>::max());
    return judged;
}

/// How a trial ends whose launches labgrind runs in place of the device. Its result must be right,
/// and labgrind must find no mistake in the kernels.
std::optional<Ended> Case::run_by_labgrind(const std::function<void()>& body) {
    Judged judged = judge_by_labgrind(body, session_.stand_in);
    if (judged.ended || judged.seen.clean())
        return std::move(judged.ended);
    Ended ended{report::Status::fail,
                "labgrind, which runs the kernels instead of the device, did not finish: " +
                    judged.seen.failure,
                last_file_,
                0,
                Ended::Cause::seen,
                Hints{}};
    if (!judged.seen.findings.empty()) {
        const ObservedFinding& first = judged.seen.findings.front();
        ended.message = show(first);
        ended.hints = hints_for(first.finding);
    }
    return ended;
}

bool Case::fails_with_small_trials_on_device() {
    return attempt_in(Mode::device, [&] { session_.lab().small_trials(*this); }).has_value();
}

/// Whether the device fails in the lab's small trials although the kernels are correct, or would be
/// with barriers.
bool Case::device_is_known_to_err() {
    const SmallTrials& small = small_trials();
    return (small.seen.clean() || only_lacks_barriers(small.seen)) && !small.seen.work.empty() &&
           !small.failure && fails_with_small_trials_on_device();
}

/// Whether labgrind must stand in after a trial that fails on the device: it gets the right result,
/// finds no mistake but missing barriers, which another case reports, and the kernels behave the
/// same on every device. labgrind is slow with large inputs, so it runs them only if the device also
/// fails with small ones. Otherwise its findings are added to `failure`, because they may be the
/// cause.
StandIn Case::second_opinion(const std::function<void()>& body, Ended& failure) {
    if (!session_.interpreter().installed())
        return StandIn::none;
    const std::vector<wire::Launch> launches = record_.launches; // of the trial that fails
    const bool died = died_;
    const auto tell_mistake_in_small_trials = [&] {
        const Observation& seen = small_trials().seen;
        tell_mistake(died ? seen : in_kernels_of(launches, seen), failure);
    };
    // A submission can make every call take long, and failed small trials are evidence enough.
    if (session_.scout || session_.options().sealed)
        small_trials();
    if (session_.small_trials && (session_.small_trials->failure ||
                                  has(session_.small_trials->seen, FindingKind::endless_loop))) {
        tell_mistake_in_small_trials();
        return StandIn::none;
    }
    const bool any_order = any_order_;
    const bool is_watched = largest_call_ <= most_watched_bytes;
    if (!is_watched && (any_order || !device_is_known_to_err())) {
        tell_mistake_in_small_trials();
        return StandIn::none;
    }
    const Judged judged = judge_by_labgrind(body, StandIn::for_device);
    const Observation& seen = is_watched ? judged.seen : small_trials().seen;
    const bool lacks_barriers = !died && only_lacks_barriers(seen) &&
                                has(small_trials().seen, FindingKind::data_race) &&
                                judge_by_labgrind(body, StandIn::for_barrier).clean();
    // labgrind runs commands one after the other: its result does not excuse a host without an
    // order.
    if (!(judged.clean() || lacks_barriers) || seen.work.empty() || any_order) {
        tell_mistake(judged.seen, failure);
        return StandIn::none;
    }
    if (lacks_barriers && judged.seen.difference.empty())
        return StandIn::for_barrier;
    const Observation known = in_kernels_of(launches, small_trials().seen);
    const bool is_different = !judged.seen.difference.empty();
    if (is_different ? !known.findings.empty() : can_spoil_others(known, small_trials())) {
        tell_mistake_in_small_trials();
        return StandIn::none;
    }
    if (is_different) {
        tell_difference(judged.seen, failure);
        return StandIn::none;
    }
    // The wrong kernels of a device are wrong each time.
    if (!died && !attempt_in(Mode::device, body)) {
        failure.message += "\nthe same call is right when it is repeated: does your host code use "
                           "something that it has kept from an earlier call?";
        failure.hints = Hints{};
        return StandIn::none;
    }
    return StandIn::for_device;
}

/// Why labgrind stands in.
std::string Case::explain(StandIn reason) const {
    if (reason == StandIn::for_device)
        return explain_disagreement(session_.device(), session_.kernel_file(last_file_));
    return "the missing barrier that the case \"" + case_that_reports(FindingKind::data_race) +
           "\" reports spoils the result on this device. If the work-items of a group take each "
           "step together, the result is right. From here on, labgrind runs the launches like "
           "that, so the missing barrier costs you no points here";
}

/// Adds why labgrind's right result does not count.
void Case::tell_difference(const Observation& seen, Ended& failure) const {
    const KernelFile& file = file_of(seen.work.front().kernel);
    failure.message += "\nlabgrind gets the right result, but this device decides: the kernels can "
                       "behave differently on each device\n" +
                       file.name() + ":" + std::to_string(seen.difference_line) + ": " +
                       seen.difference + "\n" + file.quote(seen.difference_line);
}

/// The case that reports the first mistake of `seen`; "" if none does. Only mistakes in the small
/// trials are reported.
std::string Case::cause_of(const Observation& seen) const {
    if (seen.findings.empty() || !session_.small_trials)
        return "";
    const wire::Finding& first = seen.findings.front().finding;
    const std::vector<ObservedFinding>& reported = session_.small_trials->seen.findings;
    const bool is_reported =
        std::any_of(reported.begin(), reported.end(), [&](const ObservedFinding& one) {
            return one.finding.kind == first.kind && one.finding.line == first.line;
        });
    const std::string name = is_reported ? case_that_reports(first.kind) : "";
    return name == record_.name ? "" : name;
}

/// Adds the first mistake of `seen` to the message of `failure`. On this device, a lock that hangs
/// work-items in lock step did not hang, so it did not change the result.
void Case::tell_mistake(const Observation& seen, Ended& failure) {
    const auto cause =
        std::find_if(seen.findings.begin(), seen.findings.end(), [](const ObservedFinding& one) {
            return one.finding.kind != FindingKind::lock_step_hang;
        });
    if (cause == seen.findings.end())
        return tell_slowness(failure);
    if (failure.is_by_host)
        return;
    failure.follows = cause_of(seen);
    failure.guesses.clear();
    failure.mistake.clear();
    ObservedFinding first = *cause;
    if (session_.small_trials && comes_from_host(first, *session_.small_trials)) {
        const HostMistake& mistake = session_.small_trials->host_mistake;
        const std::string text = "in your host code, with small inputs: " + mistake.text;
        failure.message = died_ ? text + '\n' + failure.message : failure.message + '\n' + text;
        failure.hints = mistake.hints;
        failure.mistake = mistake.cause;
        failure.follows.clear();
        return;
    }
    if (session_.small_trials && comes_from_other_kernel(first, *session_.small_trials)) {
        const KernelMistake& mistake = session_.small_trials->kernel_mistake;
        const std::string text = "with small inputs, it looks like this: " + mistake.text;
        failure.message = died_ ? text + '\n' + failure.message : failure.message + '\n' + text;
        failure.mistake = mistake.cause;
        failure.follows.clear();
        return;
    }
    if (first.trial == trial_)
        first.trial.clear(); // the message already names it
    failure.message += "\nthe kernels have a mistake that may be the cause:\n" + show(first);
    failure.file = file_of(first.finding.kernel).name();
    failure.line = first.finding.line;
    failure.hints = hints_for(first.finding);
}

/// Runs all of the lab's small trials with their kernels interpreted. Returns the first failure.
std::optional<Ended> Case::try_small_trials() {
    std::optional<Ended> first;
    first_failure_ = &first;
    const std::string trial_before = std::exchange(trial_, "");
    const int passed_before = std::exchange(passed_trials_, 0);
    Interpreter& interpreter = session_.interpreter();
    interpreter.set_seed(interpreter.contended() ? 0 : session_.options().seed + 1);
    const auto ended = attempt_in(Mode::interpreter, [&] { session_.lab().small_trials(*this); });
    interpreter.set_seed(0);
    trial_ = trial_before;
    passed_trials_ = passed_before;
    first_failure_ = nullptr;
    return first ? first : ended;
}

/// The result of `attempt` with work-items that contend at compare-and-swaps. Its findings are
/// dropped: they were found before.
std::optional<Ended> Case::while_contended(const std::function<std::optional<Ended>()>& attempt) {
    session_.interpreter().set_contended(true);
    std::optional<Ended> ended = attempt();
    session_.interpreter().set_contended(false);
    session_.interpreter().take_observation();
    return ended;
}

/// The finding for a trial that ended like this under contention.
ObservedFinding Case::lost_update(const Observation& seen, const Ended& ended) const {
    auto place = std::find_if(
        seen.contended_lines.begin(), seen.contended_lines.end(),
        [&](const auto& contended) { return file_of(contended.first).name() == ended.file; });
    if (place == seen.contended_lines.end())
        place = seen.contended_lines.begin();
    const auto& [kernel, line] = *place;
    return {{FindingKind::no_retry, kernel, line, 0,
             "when other work-items are faster at line " + std::to_string(line) +
                 " and this one retries, the result is wrong:\n" + without_context(ended),
             1},
            ""};
}

SmallTrials Case::look_at_small_trials() {
    session_.interpreter().take_observation();
    SmallTrials small;
    small.failure = try_small_trials();
    small.seen = session_.interpreter().take_observation();
    small.host_mistake = small_host_mistake_;
    small.trials_with_host_mistakes = trials_with_host_mistakes_;
    small.passed = small_passed_;
    small.failed = small_failed_;
    small.kernel_mistake = small_kernel_mistake_;
    if (small.failure || small.seen.contended_lines.empty())
        return small;
    Observation contended;
    const auto ended = while_contended([&] {
        auto how = try_small_trials();
        contended = session_.interpreter().take_observation();
        return how;
    });
    if (!ended || has(small.seen, FindingKind::no_retry))
        return small;
    // Other findings may depend on the schedule; a data race does not.
    const auto race = std::find_if(
        contended.findings.begin(), contended.findings.end(),
        [](const ObservedFinding& one) { return one.finding.kind == FindingKind::data_race; });
    if (race == contended.findings.end() || has(small.seen, FindingKind::data_race))
        small.seen.findings.push_back(lost_update(small.seen, *ended));
    else
        small.seen.findings.push_back(*race);
    return small;
}

SmallTrials small_trials_of(Session& session) {
    report::Case record; // its name fixes the inputs, whichever case asks
    record.name = "small trials";
    return Case(session, record).look_at_small_trials();
}

const SmallTrials& Case::small_trials() {
    if (!session_.small_trials) {
        const std::unique_ptr<Scout> scout = std::move(session_.scout);
        SmallTrials small = scout ? scout->report() : small_trials_of(session_);
        put_races_before_flags(small.seen.findings);
        drop_waits_of_hangs(small.seen.findings);
        for (const ObservedFinding& one : small.seen.findings)
            session_.result().findings.push_back(
                {to_string(one.finding.kind), file_of(one.finding.kernel).name(), one.finding.line,
                 one.finding.message, one.finding.other_line});
        session_.small_trials = std::move(small);
    }
    return *session_.small_trials;
}

/// The file that contains a kernel of this lab.
const KernelFile& Case::file_of(const std::string& kernel) const {
    const std::vector<KernelSource>& sources = session_.lab().sources;
    const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& one) {
        return std::find(one.kernels.begin(), one.kernels.end(), kernel) != one.kernels.end();
    });
    return session_.kernel_file((source == sources.end() ? sources.front() : *source).file);
}

std::string Case::show(const ObservedFinding& one) const {
    const wire::Finding& finding = one.finding;
    const KernelFile& file = file_of(finding.kernel);
    std::string text = file.name();
    if (finding.line != 0)
        text += ":" + std::to_string(finding.line);
    text += std::string(": ") + name_of(finding.kind) + ": " + finding.message;
    if (!one.trial.empty())
        text += " (" + one.trial + ")";
    std::vector<int> quoted{finding.line, finding.other_line};
    std::sort(quoted.begin(), quoted.end());
    quoted.erase(std::unique(quoted.begin(), quoted.end()), quoted.end());
    for (const int line : quoted)
        text += line == 0 ? "" : "\n" + file.quote(line);
    return text;
}

/// Fails if the case reports one of the findings.
void Case::fail_for_findings(const SmallTrials& small) {
    Ended ended;
    ended.status = report::Status::fail;
    std::vector<std::string> parts;
    for (const ObservedFinding& one : small.seen.findings) {
        if (!is_reported_by(record_.name, one.finding.kind))
            continue;
        const bool is_first = parts.empty();
        if (is_first && comes_from_host(one, small)) {
            parts = {"in your host code: " + small.host_mistake.text, show(one)};
            ended.mistake = small.host_mistake.cause;
            ended.hints = small.host_mistake.hints;
            ended.cause = Ended::Cause::host;
            break;
        }
        if (is_first && comes_from_other_kernel(one, small)) {
            parts = {"it looks like this: " + small.kernel_mistake.text, show(one)};
            ended.mistake = small.kernel_mistake.cause;
            ended.cause = Ended::Cause::host;
            break;
        }
        if (is_first) {
            ended.file = file_of(one.finding.kernel).name();
            ended.line = one.finding.line;
            if (one.finding.between_groups || !is_first_reported_by(record_.name, one.finding.kind))
                ended.hints = hints_for(one.finding);
        }
        if (parts.size() < max_findings_shown)
            parts.push_back(show(one));
    }
    ended.message = lines(parts);
    if (!parts.empty())
        conclude(ended);
}

void Case::require_none() {
    if (!session_.interpreter().installed()) {
        skip(not_installed);
        return;
    }
    const SmallTrials& small = small_trials();
    ++session_.calls; // trials that ran for other cases count for this one, too
    fail_for_findings(small);
    if (!small.seen.failure.empty())
        end(report::Status::error, "the analysis failed: " + small.seen.failure);
    if (small.seen.cut_short)
        conclude({report::Status::blocked,
                  "unknown: a mistake that another case reports ended the analysis early", "", 0,
                  Ended::Cause::seen, std::nullopt, cause_of(small.seen)});
    if (small.failure && small.failure->cause == Ended::Cause::not_implemented)
        conclude(*small.failure);
    if (small.failure && (small.is_inconclusive() || !fails_with_small_trials_on_device()))
        conclude({report::Status::blocked,
                  "unknown as long as small inputs fail:\n" + text_of(*small.failure), "", 0,
                  Ended::Cause::seen, std::nullopt, cause_of(small.seen), small.failure->mistake});
    if (small.seen.work.empty())
        end(report::Status::fail, "no kernel was launched");
}

std::optional<std::vector<wire::WorkCounts>>
Case::count_work(const std::function<void()>& body, const std::vector<report::Need>& needs) {
    if (!session_.interpreter().installed()) {
        skip(not_installed);
        return std::nullopt;
    }
    session_.interpreter().take_observation();
    const auto ended = interpret(body);
    Observation seen = session_.interpreter().take_observation();
    if (!seen.failure.empty())
        end(report::Status::error, "the analysis failed: " + seen.failure);
    if (seen.cut_short)
        conclude({report::Status::blocked,
                  "unknown: a mistake that another case reports ended the analysis early", "", 0,
                  Ended::Cause::seen, std::nullopt, cause_of(seen)});
    if (ended) {
        Ended here = *ended;
        here.follows = cause_of(seen);
        conclude(here);
    }
    std::vector<wire::WorkCounts>& reported = session_.result().work;
    for (const wire::WorkCounts& one : seen.work) {
        if (std::any_of(reported.begin(), reported.end(),
                        [&](const auto& known) { return known.kernel == one.kernel; }))
            continue;
        reported.push_back(total_work(seen.work, one.kernel));
        for (report::Need need : needs) {
            if (need.kernel.empty() && one.kernel == seen.work.front().kernel)
                need.kernel = one.kernel;
            if (need.kernel == one.kernel)
                session_.result().needs.push_back(need);
        }
    }
    return std::move(seen.work);
}

std::vector<wire::WorkCounts> Case::count_work_at_ends(const std::string& parameters,
                                                       const std::function<void()>& body) {
    trial_ = parameters;
    session_.interpreter().take_observation();
    session_.interpreter().set_ends_only(true);
    attempt_in(Mode::interpreter, body);
    session_.interpreter().set_ends_only(false);
    Observation seen = session_.interpreter().take_observation();
    if (!seen.failure.empty())
        end(report::Status::error, "the analysis failed: " + seen.failure);
    return std::move(seen.work);
}

} // namespace grader
