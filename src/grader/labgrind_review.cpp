#include "grader/labgrind_review.hpp"

#include "grader/case.hpp"
#include "grader/disagreement.hpp"
#include "grader/hints.hpp"
#include "grader/temporarily.hpp"
#include "grader/verdicts.hpp"
#include "report/causes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <utility>

namespace grader {
namespace {

using wire::FindingKind;

constexpr std::size_t max_findings_shown = 3;

/// Whether `guess` names arrays, as in offsets[g - 1], but none that `line` uses.
bool is_about_other_arrays(const std::string& guess, const std::string& line) {
    const std::regex array("([A-Za-z_][A-Za-z_0-9]*)\\[");
    const std::sregex_iterator first(guess.begin(), guess.end(), array);
    return first != std::sregex_iterator() &&
           std::none_of(first, std::sregex_iterator(), [&](const std::smatch& one) {
               return line.find(one[1]) != std::string::npos;
           });
}

/// The largest call, in bytes of arguments, that labgrind runs in lockstep after the device failed.
constexpr std::size_t most_in_lock_step = std::size_t{2} << 20;

/// Lines of one mistake that are named, beside its first one.
constexpr std::ptrdiff_t most_further_lines = 3;

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

/// "; the same happens at lines 3, 5, 7 and 2 more"; "" for none.
std::string further_lines(const std::vector<int>& lines) {
    if (lines.empty())
        return "";
    const auto named = static_cast<std::size_t>(std::min(std::ssize(lines), most_further_lines));
    std::string text =
        lines.size() == 1 ? "; the same happens at line " : "; the same happens at lines ";
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
    return lines.size() == named ? text
                                 : text + " and " + std::to_string(lines.size() - named) + " more";
}

/// A warning of clang, without its option and what only explains a type: "'uint' to 'uchar'" instead of
/// "'__private uint' (aka '__private unsigned int') to 'uchar' (aka 'unsigned char') [-Wconversion]".
std::string with_short_types(const std::string& warning) {
    static const std::regex additions(R"( \(aka '[^']*'\)|__private |const | \[-W[^\]]*\]$)");
    return std::regex_replace(warning, additions, "");
}

} // namespace

std::optional<CaseOutcome> LabgrindReview::review(const std::function<void()>& body,
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
            session_.known.fallback = second_opinion(
                [&] {
                    calls_.next.turn = first_turn; // the failure may depend on its guard value
                    body();
                },
                *failure);
        });
        if (session_.known.fallback != Fallback::none)
            return fall_back(body, *failure, first_turn);
        add_warnings(*failure);
        add_correction(*failure);
    }
    if (calls_.seen.order_is_unknown && !interpreter_.installed())
        failure->message += "\nsome commands of your host code have no defined order: with several "
                            "queues, or an out-of-order queue, only events order them";
    return failure;
}

/// How a trial ends for which labgrind begins to stand in.
std::optional<CaseOutcome> LabgrindReview::fall_back(const std::function<void()>& body,
                                                     const CaseOutcome& failure, int first_turn) {
    has_remarked_ = true;
    std::optional<CaseOutcome> ended;
    if (can_be_watched()) { // or the second opinion was right
        calls_.next.turn = first_turn;
        ended = run_by_labgrind(body);
    }
    const std::string reason = explain(session_.known.fallback, !ended.has_value());
    if (ended) {
        add_correction(*ended);
        ended->message += "\n" + reason;
    } else {
        test_.remark(reason + "\non the device: " + report::first_line(failure.message));
    }
    return ended;
}

/// How an interpreted trial ends in which two unordered commands of the host conflict: interpreted
/// launches show which bytes they use. On the device such a host can be right by luck. A trial with
/// more launches than any before is interpreted, too: the mistake may occur only there.
std::optional<CaseOutcome> LabgrindReview::missing_order(const std::function<void()>& body) {
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
        failure = small_trials().failure;
    if (failure && failure->why.cause == Explanation::Cause::order)
        session_.known.missing_order = failure;
    return session_.known.missing_order;
}

/// Whether labgrind can watch the calls of the trial: it is slow with large inputs.
bool LabgrindReview::can_be_watched() const {
    return calls_.seen.largest_call <= most_watched_bytes;
}

/// Whether labgrind finds no mistake in the kernels if each of these transfers waits.
bool LabgrindReview::is_right_if_blocking(wire::Blocking transfers,
                                          const std::function<void()>& body) {
    if (!interpreter_.installed())
        return true;
    if (!can_be_watched())
        return small_trials().seen.findings.empty();
    const Temporarily blocking(calls_.next.blocking, transfers);
    LabgrindTrial::Judged judged;
    calls_.without_trace([&] { judged = trial_.judge(body, Fallback::device_errs); });
    return judged.clean();
}

/// Whether a trial fails only if these transfers do not wait.
bool LabgrindReview::depends_on(wire::Blocking transfers, const std::function<void()>& body,
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
std::optional<CaseOutcome> LabgrindReview::early_use(const std::function<void()>& body,
                                                     int first_turn, const CaseOutcome& failure) {
    if ((calls_.seen.died && !calls_.seen.crashed) || calls_.seen.any_order)
        return std::nullopt;
    if (interpreter_.installed() &&
        can_spoil_others(in_kernels_of(record_.launches, small_trials().seen), small_trials()))
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

/// Adds what it means if labgrind finds no mistake in the kernel that hung.
void LabgrindReview::add_slowness(CaseOutcome& failure) const {
    const std::optional<SmallTrials>& small = session_.known.small_trials;
    if (failure.hung_kernel.empty() || !small || small->failure || !small->seen.clean())
        return;
    if (small->host_mistake.kernel == failure.hung_kernel) {
        failure.message +=
            '\n' + lines(describe(small->host_mistake, "", "looks like, with small inputs: "));
        failure.context.clear(); // usual causes
        return;
    }
    failure.message +=
        "\nlabgrind ran all kernels to completion with small inputs, so " + failure.hung_kernel +
        " is too slow for this input, or never ends: does one work-item do what many "
        "should share, or is a loop's counter too small, such as a ushort?";
}

/// How a trial ends whose launches labgrind runs instead of the device. Its result must be right,
/// and labgrind must find no mistake in the kernels.
std::optional<CaseOutcome> LabgrindReview::run_by_labgrind(const std::function<void()>& body) {
    LabgrindTrial::Judged judged = trial_.judge(body, session_.known.fallback);
    if (judged.ended || judged.seen.clean())
        return std::move(judged.ended);
    if (!judged.seen.findings.empty())
        return failure_by(judged.seen.findings.front());
    return CaseOutcome{
        .status = report::Status::fail,
        .message = "labgrind, which runs the kernels instead of the device, did not finish: " +
                   judged.seen.failure,
        .file = calls_.last_file,
        .why = {.hints = Hints{}}};
}

CaseOutcome LabgrindReview::failure_by(const ObservedFinding& one) const {
    CaseOutcome ended{.status = report::Status::fail,
                      .message = show(one),
                      .why = {.hints = hints_for(one.finding)}};
    point_to(one.finding, ended);
    return ended;
}

/// Whether the device gets a wrong result in one of the lab's small trials.
bool LabgrindReview::fails_with_small_trials_on_device() {
    std::optional<bool>& known = session_.known.device_fails_small_trials;
    if (!known)
        known = calls_.attempt_in(Mode::device, [&] { session_.lab().small_trials(test_); })
                    .has_value();
    return *known;
}

/// Whether the device fails in the lab's small trials although the kernels are correct, or would be
/// with barriers.
bool LabgrindReview::device_is_known_to_err() {
    const SmallTrials& small = small_trials();
    return (small.seen.clean() || only_lacks_barriers(small.seen)) && !small.seen.work.empty() &&
           !small.failure && fails_with_small_trials_on_device();
}

/// Whether the small trials show that only barriers are missing, and the calls of the trial are
/// small enough to try what they do with barriers. A GPU needs large inputs to go wrong.
bool LabgrindReview::may_lack_barriers() {
    const SmallTrials& small = small_trials();
    return calls_.seen.largest_call <= most_in_lock_step && !calls_.seen.died && !small.failure &&
           only_lacks_barriers(small.seen) && has(small.seen, FindingKind::data_race);
}

/// Whether the device fails in its own way: a kernel does not end there, or runs into a known bug, and
/// labgrind finds no mistake in the kernels and gets another result, which can be wrong, too.
bool LabgrindReview::fails_in_its_own_way(const std::function<void()>& body,
                                          const CaseOutcome& failure) {
    const bool hangs = !failure.hung_kernel.empty();
    const bool has_known_bug =
        !calls_.seen.died &&
        !known_bug(session_.device(), session_.kernel_file(calls_.last_file)).empty();
    if (!(hangs || has_known_bug) || calls_.seen.any_order || !can_be_watched() ||
        !small_trials().seen.clean())
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
Fallback LabgrindReview::second_opinion(const std::function<void()>& body, CaseOutcome& failure) {
    if (!interpreter_.installed() || calls_.seen.host_crashed)
        return Fallback::none;
    if (fails_in_its_own_way(body, failure))
        return Fallback::device_errs;
    const std::vector<wire::Launch> launches = record_.launches; // of the trial that fails
    const bool died = calls_.seen.died;
    const auto add_mistake_in_small_trials = [&] {
        const Observation& seen = small_trials().seen;
        add_mistake(died ? seen : in_kernels_of(launches, seen), failure);
    };
    // A submission can make every call take long, and failed small trials are evidence enough.
    if (session_.known.background_trials || session_.options().sealed)
        small_trials();
    if (session_.known.small_trials &&
        (session_.known.small_trials->failure || has_endless(session_.known.small_trials->seen))) {
        add_mistake_in_small_trials();
        return Fallback::none;
    }
    const bool any_order = calls_.seen.any_order;
    const bool is_watched = can_be_watched();
    if (!is_watched && (any_order || !(may_lack_barriers() || device_is_known_to_err()))) {
        add_mistake_in_small_trials();
        return Fallback::none;
    }
    const LabgrindTrial::Judged judged = trial_.judge(body, Fallback::device_errs);
    const Observation& seen = is_watched ? judged.seen : small_trials().seen;
    const bool lacks_barriers = !died && only_lacks_barriers(seen) &&
                                has(small_trials().seen, FindingKind::data_race) &&
                                trial_.judge(body, Fallback::barrier_missing).clean();
    // labgrind runs commands one after the other: its result does not excuse a host without an
    // order.
    if (!(judged.clean() || lacks_barriers) || seen.work.empty() || any_order) {
        add_mistake(judged.seen, failure);
        return Fallback::none;
    }
    if (lacks_barriers && judged.seen.difference.empty())
        return Fallback::barrier_missing;
    const Observation known = in_kernels_of(launches, small_trials().seen);
    const bool is_different = !judged.seen.difference.empty();
    if (is_different ? !known.findings.empty() : can_spoil_others(known, small_trials())) {
        add_mistake_in_small_trials();
        return Fallback::none;
    }
    if (is_different) {
        if (!failure.is_by_host)
            add_difference(judged.seen, failure);
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
std::string LabgrindReview::explain(Fallback reason, bool is_right) const {
    if (reason == Fallback::device_errs)
        return explain_disagreement(session_.device(), session_.kernel_file(calls_.last_file),
                                    is_right);
    return "a barrier is missing (see the case \"" + case_that_reports(FindingKind::data_race) +
           "\"), so the result is wrong on this device. If all work-items of a group take "
           "each step together, the result is right. labgrind runs them that way wherever the "
           "device gets a wrong result, so the missing barrier costs no points here";
}

/// Adds why labgrind's right result does not count.
void LabgrindReview::add_difference(const Observation& seen, CaseOutcome& failure) const {
    failure.why.guesses.clear(); // they take the device's result for that of the kernels
    const KernelFile& file = session_.file_of(seen.work.front().kernel);
    failure.message += "\nlabgrind gets the right result, but the device's result counts, because "
                       "these kernels may behave differently on each device\n" +
                       file.name() + ":" + std::to_string(seen.difference_line) + ": " +
                       seen.difference + "\n" + file.quote(seen.difference_line);
}

/// The case that reports the first mistake of `seen`; "" if none does. Only mistakes in the small
/// trials are reported.
std::string LabgrindReview::cause_of(const Observation& seen) const {
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

std::string LabgrindReview::cause_of_result(const Observation& seen) {
    const SmallTrials& small = small_trials();
    if (!seen.findings.empty())
        return cause_of(seen);
    const Observation known = in_kernels_of(record_.launches, small.seen);
    return can_spoil_others(known, small) ? cause_of(known) : "";
}

/// Those of a kernel file, with what only labgrind's compiler warns about.
std::vector<std::string> LabgrindReview::suspicious_lines(const KernelFile& file) const {
    std::vector<std::string> lines = session_.suspicious_lines(file);
    const std::optional<SmallTrials>& small = session_.known.small_trials;
    if (!small)
        return lines;
    std::map<std::string, std::set<int>> by_text;
    for (const auto& [kernel, log] : small->seen.warnings) {
        if (&session_.file_of(kernel) != &file)
            continue;
        for (const Diagnostic& one : parse_build_log(log)) {
            if (one.severity == "warning")
                by_text[with_short_types(one.text)].insert(one.line);
        }
    }
    for (const auto& [text, all] : by_text) {
        const int first = *all.begin();
        lines.insert(lines.end(), {compiler_warns(first, text) +
                                       further_lines({std::next(all.begin()), all.end()}),
                                   file.quote(first)});
    }
    return lines;
}

/// Adds the suspicious lines of the file of the kernels that were launched last.
void LabgrindReview::add_warnings(CaseOutcome& failure) const {
    if (failure.is_by_host || calls_.last_file.empty())
        return;
    for (const std::string& line : suspicious_lines(session_.kernel_file(calls_.last_file))) {
        if (failure.message.find(line) == std::string::npos)
            failure.message += '\n' + line;
    }
}

/// What a known mistake is, after the words for one of the host or of a kernel, and the suspicious lines
/// of the kernel's file.
std::vector<std::string> LabgrindReview::describe(const KnownMistake& known,
                                                  const std::string& of_host,
                                                  const std::string& of_kernel) const {
    if (known.kernel.empty())
        return {of_host + known.text};
    std::vector<std::string> parts = suspicious_lines(session_.file_of(known.kernel));
    parts.push_back(of_kernel + known.text);
    return parts;
}

/// Adds the first mistake of `seen` to the message of `failure`. On this device, a lock that hangs
/// work-items in lockstep did not hang, so it did not change the result.
void LabgrindReview::add_mistake(const Observation& seen, CaseOutcome& failure) {
    const auto cause = std::ranges::find_if(seen.findings, [](const ObservedFinding& one) {
        return one.finding.kind != FindingKind::lock_step_hang;
    });
    if (cause == seen.findings.end())
        return add_slowness(failure);
    if (failure.is_by_host)
        return;
    failure.follows = cause_of(seen);
    failure.why.guesses.clear();
    failure.why.mistake.clear();
    failure.question.clear();
    failure.path.clear();
    if (calls_.seen.died)
        failure.context.clear(); // usual causes
    ObservedFinding first = *cause;
    const std::optional<SmallTrials>& small = session_.known.small_trials;
    if (const KnownMistake* known = small ? known_cause_of(first, *small) : nullptr) {
        const bool is_host = known->kernel.empty();
        const std::string text = lines(describe(
            *known, "in your host code, with small inputs: ", "looks like, with small inputs: "));
        failure.message =
            calls_.seen.died ? text + '\n' + failure.message : failure.message + '\n' + text;
        if (is_host)
            failure.why.hints = known->hints;
        failure.why.mistake = known->cause;
        failure.follows.clear();
        return;
    }
    if (first.trial.parameters == calls_.trials.current)
        first.trial = {}; // the message already names it
    failure.message += "\nthe kernels have a mistake that may be the cause:\n" + show(first);
    failure.why.hints = hints_for(first.finding);
    std::vector<std::string> parts{failure.message};
    const std::optional<Correction> correction = small ? small->correction : std::nullopt;
    if (add_suspects(first.finding.kernel, correction, failure.message, parts))
        failure.why.hints = hints_for(*correction);
    failure.message = lines(parts);
    point_to(first.finding, failure);
}

/// What all cases that fail because of this mistake have in common.
std::string LabgrindReview::mistake_of(const Correction& correction) const {
    return "a mistake in line " + std::to_string(correction.line) + " of " +
           session_.file_of(*correction.kernels.begin()).name();
}

/// Adds where a small change of the kernels makes all small trials right.
void LabgrindReview::add_correction(CaseOutcome& failure) const {
    const std::optional<SmallTrials>& small = session_.known.small_trials;
    if (!small || !small->correction || failure.finding || failure.is_by_host ||
        !failure.follows.empty())
        return;
    const Correction& correction = *small->correction;
    std::vector<std::string>& guesses = failure.why.guesses;
    const bool is_known = !guesses_shown(failure).empty() && !failure.why.only_asks;
    const KernelFile& file = session_.file_of(*correction.kernels.begin());
    // Beside a known mistake, a larger change more likely makes up for it than corrects it.
    if (is_known && ((guesses.size() == 1 && !correction.is_slight) || correction.omits ||
                     correction.decides_on_wait ||
                     is_about_other_arrays(guesses.front(), file.quote(correction.line))))
        return;
    if (std::ranges::none_of(record_.launches, [&](const wire::Launch& launch) {
            return correction.kernels.contains(launch.kernel);
        }))
        return;
    if (guesses.size() > 1) // the line shows which of them is right, if one is
        guesses.clear();
    // Other changes can avoid a known mistake, too, and so does what does more or less.
    const bool is_likely = guesses.empty() || (failure.why.only_asks && !correction.changes_work);
    const std::string text = show(correction, is_likely, failure.message);
    if (!guesses.empty())
        failure.context = lines({text, failure.context});
    else
        failure.message += "\n" + text;
    failure.path.clear();
    failure.file = file.name();
    failure.line = correction.line;
    failure.why.hints = hints_for(correction);
    if (guesses.empty()) {
        failure.why.mistake = mistake_of(correction);
        failure.why.is_correction = true;
    }
}

std::string LabgrindReview::show(const Correction& correction, bool is_likely,
                                 const std::string& shown) const {
    const KernelFile& file = session_.file_of(*correction.kernels.begin());
    const std::string line = "line " + std::to_string(correction.line) +
                             (session_.lab().sources.size() > 1 ? " of " + file.name() : "");
    const std::string all_right = ", all small inputs give the right result";
    std::string text;
    if (correction.wrong.empty()) {
        text = "with " + correction.right + " before " + line + all_right;
    } else {
        text = (is_likely ? "the mistake is probably in " : "the mistake may be in ") + line +
               ": if you change " + correction.wrong.front();
        if (correction.wrong.size() > 1)
            text.append(" or ").append(correction.wrong[1]);
        text += " there" + all_right;
    }
    const std::string quote = file.quote(correction.line);
    return lines({text, shown.find(quote) == std::string::npos ? quote : ""});
}

void LabgrindReview::point_to(const wire::Finding& finding, CaseOutcome& ended) const {
    ended.file = session_.file_of(finding.kernel).name();
    ended.line = finding.line;
    ended.finding = finding.kind;
}

const SmallTrials& LabgrindReview::small_trials() {
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

std::string LabgrindReview::show(const ObservedFinding& one,
                                 const std::set<int>& more_lines) const {
    const wire::Finding& finding = one.finding;
    const KernelFile& file = session_.file_of(finding.kernel);
    std::string text = file.name();
    if (finding.line != 0)
        text += ":" + std::to_string(finding.line);
    const std::string message = text_of(finding);
    const std::size_t first_end = std::min(message.find('\n'), message.size());
    text += std::string(": ") + wire::kind_of_finding(finding.kind).words + ": " +
            message.substr(0, first_end);
    const std::string& trial = one.trial.parameters;
    if (!trial.empty() && message.find(trial, first_end) == std::string::npos)
        text += " (" + trial + ")";
    text += further_lines({more_lines.begin(), more_lines.end()}) + message.substr(first_end);
    std::set<int> quoted(
        more_lines.begin(),
        std::next(more_lines.begin(), std::min(std::ssize(more_lines), most_further_lines)));
    quoted.insert({finding.line, finding.other_line});
    quoted.insert(finding.more_lines.begin(), finding.more_lines.end());
    quoted.erase(0);
    for (const int line : quoted)
        text += "\n" + file.quote(line);
    return text;
}

/// The findings that this case reports, each mistake once: several kernels can call the function with
/// the mistake, and races of one line with several others have one cause.
std::vector<LabgrindReview::Mistake> LabgrindReview::reported(const SmallTrials& small) const {
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

/// Adds the suspicious lines of the kernel's file, unless `known` has them, and a correction with which all
/// findings disappear. Returns whether there is one.
bool LabgrindReview::add_suspects(const std::string& kernel,
                                  const std::optional<Correction>& correction,
                                  const std::string& known, std::vector<std::string>& parts) const {
    for (const std::string& line : suspicious_lines(session_.file_of(kernel))) {
        if (known.find(line) == std::string::npos)
            parts.push_back(line);
    }
    if (correction)
        parts.push_back(show(*correction, true, lines(parts)));
    return correction.has_value();
}

/// The known mistake that a finding follows from, and the finding.
std::vector<std::string> LabgrindReview::explain_by(const KnownMistake& known,
                                                    const ObservedFinding& one,
                                                    CaseOutcome& ended) const {
    std::vector<std::string> parts;
    if (text_of(one.finding).find(known.text) == std::string::npos)
        parts = describe(known, "in your host code: ", "looks like: ");
    if (const auto found = host_place(known.before_place, known.frames, session_)) {
        ended.file = found->place.file;
        ended.line = found->place.line;
        parts.push_back(found->text);
    }
    parts.push_back(show(one));
    ended.why.mistake = known.cause;
    if (known.kernel.empty())
        ended.why.hints = known.hints;
    ended.why.cause = Explanation::Cause::host;
    return parts;
}

/// How the case ends if it reports one of the findings.
std::optional<CaseOutcome> LabgrindReview::failure_by_findings(const SmallTrials& small) const {
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
            point_to(one.finding, ended);
            if (one.finding.between_groups || !is_subject_of(record_.name, one.finding.kind))
                ended.why.hints = hints_for(one.finding);
        }
        ObservedFinding shown = one;
        const bool lacks_no_barrier = small.correction && !small.correction->wrong.empty();
        if (lacks_no_barrier && ((is_first && one.finding.asks) || one.finding.within_group))
            shown.finding.explanation.clear(); // the correction says which mistake it is
        if (parts.size() < max_findings_shown)
            parts.push_back(show(shown, mistake.more_lines));
        if (is_first &&
            add_suspects(one.finding.kernel, small.correction, text_of(one.finding), parts)) {
            ended.why.hints = hints_for(*small.correction);
            ended.why.mistake = mistake_of(*small.correction);
        }
    }
    ended.message = lines(parts);
    return parts.empty() ? std::nullopt : std::optional(ended);
}

std::optional<CaseOutcome> LabgrindReview::verdict_of_small_trials() {
    const SmallTrials& small = small_trials();
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
    if (small.failure &&
        (is_unjudged || small.is_inconclusive() || !fails_with_small_trials_on_device())) {
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
