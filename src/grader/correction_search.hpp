#pragma once

#include "grader/calls.hpp"
#include "grader/labgrind_trial.hpp"
#include "grader/small_trials.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace grader {

class Case;

/// Searches for a small change of the kernels that makes all small trials right. Trials with a changed
/// program take a millisecond: nothing is compiled again.
class CorrectionSearch {
  public:
    CorrectionSearch(Case& test, Session& session, Calls& calls);

    /// Notes that a trial passed with these launches. Before the first failure, that makes a mistake in
    /// their kernels less likely.
    void note_pass(const std::vector<wire::Launch>& launches);
    /// Notes the first trial that fails or shows a mistake.
    void note_failure(std::size_t number, const std::function<void()>& body);
    bool has_failure() const { return failure_.has_value(); }

    /// Whether a changed program runs in the small trials now. Then each of them begins here.
    bool is_trying() const { return trying_.has_value(); }
    void try_trial(std::size_t number, const std::function<void()>& body);

    /// Runs all small trials, by `run_all`, with changed programs, and returns the line where a change
    /// makes them right; nothing if there are several such lines and no finding names the likeliest one.
    /// `observed`: what they show without a change.
    std::optional<Correction> find(const std::function<void()>& run_all,
                                   const Observation& observed);

  private:
    /// The trials with a changed program: those with numbers from `first` to `last`.
    struct Trying {
        std::size_t first = 0;
        std::size_t last = 0;
    };
    struct Failure {
        std::size_t trial = 0;
        ListedChanges listed = {}; ///< of its kernels
        /// That its launches take, if they end.
        std::optional<std::uint64_t> instructions = std::nullopt;
        LineAccesses accesses = {}; ///< of its launches
        bool is_right = false;      ///< its result: only the analysis shows the mistake
    };

    /// A change that corrects all small trials.
    struct Found {
        const KernelChange* change = nullptr;
        std::uint64_t difference = 0; ///< in instructions of the trial that failed
    };

    bool shows_mistake() const;
    bool are_right(const Trying& trials, bool watched, std::uint64_t most);
    Trying first_trial() const { return {failure_->trial, failure_->trial}; }
    std::vector<Found> right_at_first(const std::vector<KernelChange>& changes);
    bool corrects(const KernelChange& change);
    std::vector<Found> all_that_correct(const std::vector<Found>& changes, std::size_t most_found);
    bool stands_every_schedule(const KernelChange& change);
    std::vector<KernelChange> order_changes(const std::vector<ObservedFinding>& seen);
    void drop_detours(std::vector<Found>& all, const std::vector<ObservedFinding>& seen) const;
    std::optional<Correction> line_of(const std::vector<Found>& all,
                                      const std::vector<ObservedFinding>& seen);

    Case& test_;
    Calls& calls_;
    Interpreter& interpreter_;
    LabgrindTrial trial_;
    std::optional<Failure> failure_;
    std::optional<Trying> trying_;
    std::function<void()> run_all_;      ///< small trials
    std::set<std::string> right_so_far_; ///< the kernels of the trials before the one that failed
    double most_uneven_ = 0;             ///< without a change, see unevenness()
    int effort_ = 0;                     ///< so far
};

} // namespace grader
