#include "grader/failure_details.hpp"

#include "grader/calls.hpp"
#include "grader/hints.hpp"
#include "grader/session.hpp"
#include "grader/small_trial_review.hpp"

#include <algorithm>
#include <iterator>
#include <regex>

namespace grader {
namespace {

using wire::FindingKind;

/// Whether `guess` names arrays, as in offsets[g - 1], but none that `line` uses.
bool is_about_other_arrays(const std::string& guess, const std::string& line) {
    const std::regex array("([A-Za-z_][A-Za-z_0-9]*)\\[");
    const std::sregex_iterator first(guess.begin(), guess.end(), array);
    return first != std::sregex_iterator() &&
           std::none_of(first, std::sregex_iterator(), [&](const std::smatch& one) {
               return line.find(one[1]) != std::string::npos;
           });
}

} // namespace

void FailureDetails::add_mistake(const Observation& seen, CaseOutcome& failure) const {
    const auto cause = std::ranges::find_if(seen.findings, [](const ObservedFinding& one) {
        return one.finding.kind != FindingKind::lock_step_hang;
    });
    if (cause == seen.findings.end())
        return add_slowness(failure);
    if (failure.is_by_host)
        return;
    failure.follows = small_trials_.cause_of(seen);
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
        const std::string text = lines(words_.describe(
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
    failure.message +=
        "\nthe kernels have a mistake that may be the cause:\n" + words_.describe(first);
    failure.why.hints = hints_for(first.finding);
    std::vector<std::string> parts{failure.message};
    const std::optional<Correction> correction = small ? small->correction : std::nullopt;
    if (words_.add_suspects(first.finding.kernel, correction, failure.message, parts))
        failure.why.hints = hints_for(*correction);
    failure.message = lines(parts);
    words_.point_to(first.finding, failure);
}

/// Adds what it means if labgrind finds no mistake in the kernel that hung.
void FailureDetails::add_slowness(CaseOutcome& failure) const {
    const std::optional<SmallTrials>& small = session_.known.small_trials;
    if (failure.hung_kernel.empty() || !small || small->failure || !small->seen.clean())
        return;
    if (small->host_mistake && small->host_mistake->kernel == failure.hung_kernel) {
        failure.message += '\n' + lines(words_.describe(*small->host_mistake, "",
                                                        "looks like, with small inputs: "));
        failure.context.clear(); // usual causes
        return;
    }
    failure.message +=
        "\nlabgrind ran all kernels to completion with small inputs, so " + failure.hung_kernel +
        " is too slow for this input, or never ends: does one work-item do what many "
        "should share, or is a loop's counter too small, such as a ushort?";
}

void FailureDetails::add_correction(CaseOutcome& failure) const {
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
    const std::string text = words_.describe(correction, is_likely, failure.message);
    if (!guesses.empty())
        failure.context = lines({text, failure.context});
    else
        failure.message += "\n" + text;
    failure.path.clear();
    failure.file = file.name();
    failure.line = correction.line;
    failure.why.hints = hints_for(correction);
    if (guesses.empty()) {
        failure.why.mistake = words_.mistake_of(correction);
        failure.why.is_correction = true;
    }
}

void FailureDetails::add_warnings(CaseOutcome& failure) const {
    if (failure.is_by_host || calls_.last_file.empty())
        return;
    for (const std::string& line :
         words_.suspicious_lines(session_.kernel_file(calls_.last_file))) {
        if (failure.message.find(line) == std::string::npos)
            failure.message += '\n' + line;
    }
}

void FailureDetails::add_difference(const Observation& seen, CaseOutcome& failure) const {
    failure.why.guesses.clear(); // they take the device's result for that of the kernels
    const KernelFile& file = session_.file_of(seen.work.front().kernel);
    failure.message += "\nlabgrind gets the right result, but the device's result counts, because "
                       "these kernels may behave differently on each device\n" +
                       file.name() + ":" + std::to_string(seen.difference_line) + ": " +
                       seen.difference + "\n" + file.quote(seen.difference_line);
}

} // namespace grader
