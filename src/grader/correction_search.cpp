#include "grader/correction_search.hpp"

#include "grader/case.hpp"
#include "grader/session.hpp"
#include "grader/temporarily.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace grader {
namespace {

/// Ends the small trials early.
struct TrialsEndEarly {};

constexpr std::size_t last_of_all = std::numeric_limits<std::size_t>::max();

/// The most instructions of a launch in the trial that failed, the same if it did not end, of a launch in
/// another trial, and of all with changed programs together.
constexpr std::uint64_t most_of_first = 1'000'000;
constexpr std::uint64_t most_if_unknown = 100'000;
constexpr std::uint64_t most_of_launch = 20'000'000;
constexpr std::uint64_t most_of_all = 50'000'000; // two to four seconds

/// Changes in a line, and changes of the same thing there.
constexpr std::ptrdiff_t most_in_line = 4;
constexpr std::ptrdiff_t most_alike = 2;

/// About two seconds, in runs of one trial that nothing watches.
constexpr int most_effort = 1500;
constexpr int effort_of_judging = 300; ///< in every schedule

/// How many times its equal share the busiest work-item may load after a correction: in a tree of 1024
/// elements it is 7 times.
constexpr double uneven_enough = 10;

/// How many times its equal share the busiest work-item of a launch loads; 0 if nothing is loaded.
double unevenness(const wire::WorkCounts& work) {
    const auto loaded =
        static_cast<double>(work.global_bytes_loaded + work.local_loads * sizeof(float));
    return loaded == 0 ? 0
                       : static_cast<double>(work.busiest_item_bytes) *
                             static_cast<double>(work.work_items) / loaded;
}

double most_uneven(const std::vector<wire::WorkCounts>& launches) {
    double most = 0;
    for (const wire::WorkCounts& one : launches)
        most = std::max(most, unevenness(one));
    return most;
}

/// Whether a line stores much less often than before, or loads nothing any more. If a mistake lets it store
/// too often, a right change keeps a part of these stores.
bool leaves_out_accesses(LineAccesses accesses, const LineAccesses& before) {
    constexpr std::uint64_t most_times_less = 4;
    return std::ranges::any_of(before, [&](const auto& line) {
        const auto& [loads, stores] = accesses[line.first];
        return stores * most_times_less < line.second.stores ||
               (loads == 0 && line.second.loads != 0);
    });
}

/// Whether no finding names the line of this change.
bool is_elsewhere(const KernelChange& one, const std::vector<ObservedFinding>& seen) {
    return std::ranges::none_of(seen, [&](const ObservedFinding& other) {
        return one.kernels.contains(other.finding.kernel) &&
               (one.change.line == other.finding.line ||
                one.change.line == other.finding.other_line);
    });
}

} // namespace

CorrectionSearch::CorrectionSearch(Case& test, Session& session, Calls& calls)
    : test_(test), calls_(calls), interpreter_(session.interpreter()), trial_(calls, interpreter_) {
}

void CorrectionSearch::note_pass(const std::vector<wire::Launch>& launches) {
    if (has_failure())
        return;
    for (const wire::Launch& launch : launches)
        right_so_far_.insert(launch.kernel);
}

void CorrectionSearch::note_failure(std::size_t number, const std::function<void()>& body) {
    const Observation before = interpreter_.take_observation();
    const std::uint64_t instructions = interpreter_.instructions();
    const std::optional<KnownMistake> host_mistake = calls_.first_host_mistake;
    {
        const Temporarily lists(interpreter_.conditions.how.lists_changes, true);
        const Temporarily unwatched(interpreter_.conditions.most_watched_bytes, std::size_t{0});
        const Temporarily bounded(interpreter_.conditions.how.most_instructions, most_of_first);
        failure_ = Failure{.trial = number};
        interpreter_.take_accesses();
        calls_.without_trace([&] { failure_->is_right = !trial_.run_once(body); });
    }
    failure_->accesses = interpreter_.take_accesses();
    failure_->listed = interpreter_.take_changes();
    if (interpreter_.observation().failure.empty())
        failure_->instructions = interpreter_.instructions() - instructions;
    calls_.first_host_mistake = host_mistake; // a launch that is not watched can fail
    interpreter_.set_observation(before);
}

void CorrectionSearch::try_trial(std::size_t number, const std::function<void()>& body) {
    if (number >= trying_->first)
        body();
    if (number == trying_->last || shows_mistake())
        throw TrialsEndEarly();
}

/// Whether what was observed since the last try is a mistake. If one work-item does the work of all, a
/// mistake in what they pass to each other does not matter.
bool CorrectionSearch::shows_mistake() const {
    const Observation& seen = interpreter_.observation();
    return !seen.clean() || most_uneven(seen.work) > std::max(2 * most_uneven_, uneven_enough);
}

/// Whether these trials are right and show no mistake. `most`: instructions of a launch that is not watched.
bool CorrectionSearch::are_right(const Trying& trials, bool watched, std::uint64_t most) {
    Conditions& conditions = interpreter_.conditions;
    const std::size_t most_watched =
        trials.last == last_of_all ? grader::most_watched_bytes : conditions.most_watched_bytes;
    const Temporarily limited(conditions.most_watched_bytes, watched ? most_watched : 0);
    const Temporarily bounded(conditions.how.most_instructions, most);
    const Temporarily trying(trying_, std::optional(trials));
    effort_ += trials.last == last_of_all ? (watched ? 60 : 10) : (watched ? 3 : 1);
    bool passes = true;
    try {
        passes = !trial_.run_once(run_all_);
    } catch (const TrialsEndEarly&) {
    }
    passes = passes && !shows_mistake();
    interpreter_.take_observation();
    return passes;
}

/// The changes with which the trial that failed is right. A change that leaves out much of the work, most
/// of the stores of a line, or all its loads only keeps the mistake from running.
std::vector<CorrectionSearch::Found>
CorrectionSearch::right_at_first(const std::vector<KernelChange>& changes) {
    const std::uint64_t known = failure_->instructions.value_or(most_if_unknown);
    const std::uint64_t least = failure_->is_right ? known - known / 8 : known / 2;
    const std::uint64_t end = interpreter_.instructions() + most_of_all / 2;
    std::vector<Found> right;
    std::set<std::uint64_t> wrong_effects{wire::effect_of_failure};
    if (!failure_->is_right)
        wrong_effects.insert(failure_->listed.effect);
    calls_.seen.died = false;
    for (const KernelChange& one : changes) {
        const std::uint64_t effect = one.change.effect;
        if (effect != 0 && wrong_effects.contains(effect))
            continue;
        const std::uint64_t before = interpreter_.instructions();
        if (effort_ > most_effort || before > end || calls_.seen.died)
            break;
        const Temporarily changed(interpreter_.conditions.change, &one);
        // A changed loop may never end, but a right one takes about as long as a wrong one.
        interpreter_.take_accesses();
        if (!are_right(first_trial(), false, 4 * known)) {
            wrong_effects.insert(effect);
            continue;
        }
        if (!one.change.omits &&
            leaves_out_accesses(interpreter_.take_accesses(), failure_->accesses))
            continue;
        const std::uint64_t taken = interpreter_.instructions() - before;
        if (!failure_->instructions)
            right.push_back({&one, 0});
        else if (taken >= least)
            right.push_back({&one, std::max(known, taken) - std::min(known, taken)});
    }
    return right;
}

/// Whether all small trials are right with a change, and show no mistake.
bool CorrectionSearch::corrects(const KernelChange& change) {
    const Temporarily changed(interpreter_.conditions.change, &change);
    const Trying all{0, last_of_all};
    // A wrong result shows sooner if nothing is watched.
    return (!failure_->is_right || are_right(first_trial(), true, most_of_first)) &&
           are_right(all, false, most_of_launch) && are_right(all, true, most_of_launch);
}

/// Those of these changes that correct all small trials, at most `most_found`.
std::vector<CorrectionSearch::Found>
CorrectionSearch::all_that_correct(const std::vector<Found>& changes, std::size_t most_found) {
    const std::uint64_t end = interpreter_.instructions() + most_of_all;
    std::vector<Found> all;
    calls_.seen.died = false;
    for (const Found& one : changes) {
        if (effort_ > 2 * most_effort || interpreter_.instructions() > end || calls_.seen.died ||
            all.size() == most_found)
            break;
        const auto is_in_same_line = [&](const Found& other) {
            return other.change->kernels == one.change->kernels &&
                   other.change->change.line == one.change->change.line;
        };
        const auto is_alike = [&](const Found& other) {
            return is_in_same_line(other) && other.change->change.wrong == one.change->change.wrong;
        };
        if (std::ranges::count_if(all, is_in_same_line) < most_in_line &&
            std::ranges::count_if(all, is_alike) < most_alike && corrects(*one.change))
            all.push_back(one);
    }
    return all;
}

/// Whether the small trials show no mistake if they are run as for a verdict.
bool CorrectionSearch::stands_every_schedule(const KernelChange& change) {
    if (!change.has_atomics)
        return true;
    const Temporarily changed(interpreter_.conditions.change, &change);
    effort_ += effort_of_judging;
    return test_.run_small_trials({.ends_unclean = true}).are_clean();
}

/// Sorts the changes of the kernels by how likely they are what was meant: first those in lines of
/// findings, and last those of kernels that were right. Returns the barriers, which it takes out.
std::vector<KernelChange>
CorrectionSearch::order_changes(const std::vector<ObservedFinding>& seen) {
    std::vector<KernelChange>& changes = failure_->listed.changes;
    std::ranges::stable_sort(changes, {}, [&](const KernelChange& one) {
        return std::pair(is_elsewhere(one, seen),
                         std::ranges::includes(right_so_far_, one.kernels));
    });
    const auto insertions =
        std::stable_partition(changes.begin(), changes.end(), [](const KernelChange& one) {
            return !one.change.inserts_barrier();
        });
    std::vector<KernelChange> barriers(insertions, changes.end());
    changes.erase(insertions, changes.end());
    return barriers;
}

/// Drops changes that only lead around the mistake: with them, the launch does much more than before. How
/// much is not known if it does not end.
void CorrectionSearch::drop_detours(std::vector<Found>& all,
                                    const std::vector<ObservedFinding>& seen) const {
    const auto is_there = [&](const Found& one) { return !is_elsewhere(*one.change, seen); };
    const bool helps_there = std::ranges::any_of(
        all, [&](const Found& one) { return is_there(one) && !one.change->change.adds; });
    const std::uint64_t known = failure_->instructions.value_or(0);
    const bool helps_as_quickly = std::ranges::any_of(
        all, [&](const Found& one) { return known != 0 && one.difference <= known / 8; });
    std::erase_if(all, [&](const Found& one) {
        if (is_there(one))
            return false;
        return known == 0 ? helps_there
                          : one.difference > known / 2 && (!seen.empty() || helps_as_quickly);
    });
}

/// Returns the line of the likeliest of these changes that stand every schedule. If the mistake can as
/// well be in another line, that is none, unless a finding names the line: a change in a right line can
/// make up for a mistake.
std::optional<Correction> CorrectionSearch::line_of(const std::vector<Found>& all,
                                                    const std::vector<ObservedFinding>& seen) {
    std::optional<Correction> correction;
    bool is_named = false; // by a finding
    bool adds = false;
    for (const Found& one : all) {
        const wire::Change& change = one.change->change;
        if (!correction) {
            if (!stands_every_schedule(*one.change))
                continue;
            is_named = !is_elsewhere(*one.change, seen);
            adds = change.adds;
            correction = {.kernels = one.change->kernels,
                          .line = change.line,
                          .wrong = {change.wrong},
                          .right = change.right,
                          .omits = change.omits,
                          .decides_on_wait = change.decides_on_wait,
                          .changes_work = one.difference != 0,
                          .is_slight = change.is_slight};
            continue;
        }
        if (correction->line != change.line || correction->kernels != one.change->kernels) {
            // Where a variable is used, a term more makes up for what is wrong where it is computed.
            if (change.adds && !adds)
                continue;
            if (effort_ > most_effort + 2 * effort_of_judging ||
                !stands_every_schedule(*one.change))
                continue;
            return is_named ? correction : std::nullopt;
        }
        correction->omits = correction->omits && change.omits;
        correction->decides_on_wait = correction->decides_on_wait || change.decides_on_wait;
        if (std::ranges::count(correction->wrong, change.wrong) == 0)
            correction->wrong.push_back(change.wrong);
    }
    return correction;
}

std::optional<Correction> CorrectionSearch::find(const std::function<void()>& run_all,
                                                 const Observation& observed) {
    run_all_ = run_all;
    const std::vector<ObservedFinding>& seen = observed.findings;
    most_uneven_ = most_uneven(observed.work);
    const std::vector<KernelChange> barriers = order_changes(seen);
    const Temporarily one_order(interpreter_.conditions.how.seed, std::uint64_t{0});
    // Only a barrier orders what work-items of a group do: if one is missing, nothing else is wrong.
    if (std::ranges::any_of(seen, [](const auto& one) { return one.finding.within_group; })) {
        for (const Found& one : all_that_correct(right_at_first(barriers), 1)) {
            if (stands_every_schedule(*one.change))
                return Correction{.kernels = one.change->kernels,
                                  .line = one.change->change.line,
                                  .right = one.change->change.right};
        }
    }
    // What only other schedules show looks right with any change, even without one.
    const bool needs_waiting = std::ranges::all_of(
        seen, [](const ObservedFinding& one) { return one.finding.while_waiting; });
    if (!seen.empty() && needs_waiting)
        return std::nullopt;
    if (failure_->is_right && are_right(first_trial(), true, most_of_first))
        return std::nullopt;
    // What changes least is most likely what was meant, and more so if it replaces something in a line with
    // a mistake.
    const auto by_likelihood = [&](const Found& one) {
        const bool adds = one.change->change.adds;
        return std::tuple(adds || is_elsewhere(*one.change, seen), one.difference, adds);
    };
    std::vector<Found> candidates = right_at_first(failure_->listed.changes);
    std::ranges::stable_sort(candidates, {}, by_likelihood);
    constexpr std::size_t most_found = 10;
    std::vector<Found> all = all_that_correct(candidates, most_found);
    drop_detours(all, seen);
    return line_of(all, seen);
}

} // namespace grader
