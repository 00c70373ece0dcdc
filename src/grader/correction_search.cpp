#include "grader/correction_search.hpp"

#include "grader/case.hpp"
#include "grader/session.hpp"
#include "grader/temporarily.hpp"

#include <algorithm>
#include <limits>

namespace grader {
namespace {

constexpr std::size_t last_of_all = std::numeric_limits<std::size_t>::max();

/// The most instructions of a launch, and of all trials with changed programs.
constexpr std::uint64_t most_of_launch = 1'000'000;
constexpr std::uint64_t most_of_all = 300'000'000; // a second

} // namespace

CorrectionSearch::CorrectionSearch(Case& test, Session& session, Calls& calls)
    : test_(test), session_(session), calls_(calls), interpreter_(session.interpreter()),
      trial_(calls, interpreter_) {}

Start CorrectionSearch::start() const { return {test_.random(), calls_.next.turn}; }

void CorrectionSearch::begin_like(const Start& start) {
    test_.random() = start.random;
    calls_.next.turn = start.turn;
}

void CorrectionSearch::note_failure(std::size_t number, const std::function<void()>& body,
                                    const Start& start) {
    const Observation before = interpreter_.take_observation();
    const std::uint64_t instructions = interpreter_.instructions();
    const Start next = this->start();
    begin_like(start);
    {
        const Temporarily lists(interpreter_.conditions.lists_changes, true);
        const Temporarily unwatched(interpreter_.conditions.most_watched_bytes, std::size_t{0});
        const Temporarily bounded(interpreter_.conditions.most_instructions, most_of_launch);
        calls_.without_trace([&] { trial_.run_once(body); });
    }
    // A changed loop may never end, but a right one takes about as long as a wrong one.
    const bool ended_early = !interpreter_.observation().failure.empty();
    const std::uint64_t most_instructions =
        ended_early ? most_of_launch
                    : std::min(most_of_launch, 4 * (interpreter_.instructions() - instructions));
    begin_like(next);
    interpreter_.set_observation(before);
    failure_ = {number, start, interpreter_.take_changes(), most_instructions};
}

void CorrectionSearch::try_trial(const std::function<void()>& body) {
    const std::size_t number = trying_->next++;
    if (number >= trying_->first && number <= trying_->last)
        body();
}

/// Whether the trials with these numbers are right, and show no mistake if they are watched. `start`:
/// that of the first one.
bool CorrectionSearch::is_right(const Start& start, std::size_t first, std::size_t last,
                                bool watched) {
    const Temporarily limited(interpreter_.conditions.most_watched_bytes,
                              watched ? interpreter_.conditions.most_watched_bytes : 0);
    const Temporarily trying(trying_, std::optional(Trying{first, last}));
    begin_like(start);
    const bool passes = !trial_.run_once([&] { session_.lab().small_trials(test_); });
    return interpreter_.take_observation().clean() && passes;
}

/// Tries the trial that failed before all others: it shows at once that most changes are wrong.
bool CorrectionSearch::corrects(const KernelChange& change, const Start& start) {
    const Temporarily changed(interpreter_.conditions.change, &change);
    const Temporarily bounded(interpreter_.conditions.most_instructions,
                              failure_->most_instructions);
    return is_right(failure_->start, failure_->trial, failure_->trial, false) &&
           is_right(failure_->start, failure_->trial, failure_->trial, true) &&
           is_right(start, 0, last_of_all, true);
}

std::optional<Correction> CorrectionSearch::find(const Start& start) {
    constexpr int most_tried = 1000; // most take less than a millisecond
    constexpr std::size_t most_named = 2;
    const Temporarily one_order(interpreter_.conditions.seed, std::uint64_t{0});
    const std::uint64_t end = interpreter_.instructions() + most_of_all;
    calls_.seen.died = false;
    std::optional<Correction> found;
    int tried = 0;
    for (const KernelChange& one : failure_->changes) {
        // The other mistakes in the same line can be the real one.
        if (found && (found->kernels != one.kernels || found->line != one.change.line ||
                      std::ranges::count(found->wrong, one.change.wrong) != 0))
            continue;
        if (++tried > most_tried || interpreter_.instructions() > end || calls_.seen.died)
            break;
        if (!corrects(one, start))
            continue;
        if (!found)
            found = Correction{one.kernels, one.change.line, {}, one.change.right};
        found->wrong.push_back(one.change.wrong);
        if (found->wrong.size() == most_named)
            break;
    }
    return found;
}

} // namespace grader
