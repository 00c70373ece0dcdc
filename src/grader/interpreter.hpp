#pragma once

#include "grader/host_order.hpp"
#include "grader/runner_process.hpp"
#include "grader/wrong_launch.hpp"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// A trial of a case. Trials of different functions can have the same parameters.
struct TrialId {
    std::size_t number = 0;      ///< from 1; 0: none
    std::string parameters = {}; ///< "n = 257, work-group size 64"

    bool operator==(const TrialId& other) const { return number == other.number; }
    bool operator<(const TrialId& other) const { return number < other.number; }
};

/// A mistake, and the trial in which it was seen first.
struct ObservedFinding {
    wire::Finding finding;
    TrialId trial;
};

/// What was observed in the launches since the last observation was taken.
struct Observation {
    std::vector<ObservedFinding> findings; ///< one per kind and place, in order of discovery
    /// The first use of an element of a buffer that nothing has written, in each trial. It is a
    /// mistake only if the result depends on it.
    std::map<TrialId, wire::Finding> unwritten;
    std::vector<wire::WorkCounts> work; ///< one per launch, in order
    std::string failure;                ///< why a launch could not be watched; "" if all were
    bool is_oversized = false;          ///< because it has too many work-items
    bool cut_short = false;             ///< a finding ended a launch before its end
    /// Where and how the kernels can find out which device they run on; "" if they cannot.
    int difference_line = 0;
    std::string difference;
    std::map<std::string, std::string> warnings; ///< of labgrind's compiler, by kernel

    bool clean() const { return failure.empty() && findings.empty(); }
};

/// Ends a case because a launch could not be watched: with an error, or with a failure if the student's
/// launch is too large.
[[noreturn]] void end_unobserved(const Observation& seen);

/// A launch in detail, and which buffers its kernel got.
struct TracedLaunch {
    wire::Trace trace;
    std::vector<wire::LaunchArgument> arguments;
};

/// A buffer with elements that nothing has written when a launch ends.
struct IncompleteBuffer {
    std::string kernel;
    std::size_t argument = 0; ///< of that kernel
    std::size_t first = 0;    ///< the first such element
    std::size_t elements = 0; ///< of the buffer, each of 4 bytes
    wire::WorkCounts work;    ///< of the launch
};

/// What it means if the groups of a launch store fewer results than there are groups; "" if they do
/// not.
std::string groups_without_store(const wire::WorkCounts& work);

/// Whether `seen` contains a finding of this kind.
bool has(const Observation& seen, wire::FindingKind kind);

/// Whether a launch did not end because of a mistake in `seen`.
bool has_endless(const Observation& seen);
/// Whether a device can hang in `kernel` because of a mistake in `seen`: an endless loop, or a barrier that
/// not all work-items reach.
bool can_hang(const Observation& seen, const std::string& kernel);

/// A small change of a kernel file that may correct it.
struct KernelChange {
    std::set<std::string> kernels; ///< launched ones that it concerns
    std::string source;            ///< the text of the file
    bool has_atomics = false;      ///< so that results can depend on the schedule
    wire::Change change;           ///< its effect is that on all launches, as in ListedChanges
};

/// The changes of the kernels that a trial has launched.
struct ListedChanges {
    std::vector<KernelChange> changes;
    /// Without a change, as in wire::Change, of all launches. Two changes with the same effect make the
    /// same of each launch with the inputs that it has without a change, so they most likely have the same
    /// result.
    std::uint64_t effect = std::numeric_limits<std::uint64_t>::max();

    /// Adds those of one more launch.
    void add(const wire::Interpret& request, wire::Analysis& analysis);
};

/// How often a line has loaded and stored.
struct AccessCounts {
    std::uint64_t loads = 0;
    std::uint64_t stores = 0;
};

/// By kernel and line.
using LineAccesses = std::map<std::pair<std::string, int>, AccessCounts>;

/// How later launches are interpreted.
struct Conditions {
    wire::Interpretation how;
    const KernelChange* change = nullptr; ///< made in its kernel file first; null: none is
    bool is_known_to_fail = false;        ///< enough is known about why trials fail
    /// Launches with more memory are not watched: they run only for their results.
    std::size_t most_watched_bytes = std::numeric_limits<std::size_t>::max();
    /// Sees each launch, and can correct what it leaves; null: none does.
    LaunchCheck* check = nullptr;

    /// Whether only right or wrong matters, not the reason.
    bool only_judges() const { return change != nullptr || how.lists_changes || is_known_to_fail; }
};

/// The process that interprets kernels, started at the first launch. It contains no student host
/// code, so its reports can be trusted.
class Interpreter {
  public:
    /// `path` is the program labgrind.
    explicit Interpreter(std::string path) : path_(std::move(path)), command_{{path_}, {}} {}

    /// Starts the program with `command` from now on.
    void start_by(RunnerCommand command) { command_ = std::move(command); }

    /// Whether the program is installed.
    bool installed() const;
    /// How later launches run.
    Conditions conditions;
    /// Later launches belong to a new trial.
    void begin_trial(std::string parameters) {
        trial_ = {trial_.number + 1, std::move(parameters)};
    }
    const TrialId& trial() const { return trial_; }
    /// The schedules in which launches since the last call of this function had other results.
    std::set<wire::Schedule> take_other_schedules() { return std::exchange(other_schedules_, {}); }
    /// The mistakes that explain a wrong result in one of those schedules, without its description.
    std::vector<ObservedFinding> take_schedule_explanations() {
        return std::exchange(schedule_explanations_, {});
    }
    /// What happened in the last launch whose explained schedule led to other results.
    std::optional<ObservedFinding> take_schedule_finding() {
        return std::exchange(schedule_finding_, std::nullopt);
    }
    /// Adds a finding from elsewhere to the observation.
    void add(ObservedFinding finding) { seen_.findings.push_back(std::move(finding)); }
    /// The launches that were recorded since the last call of this function.
    std::vector<TracedLaunch> take_traces() { return std::exchange(traces_, {}); }
    /// How many instructions the launches have taken that were not watched.
    std::uint64_t instructions() const { return instructions_; }
    /// How many times launches that were not watched, and list changes or have one, have accessed local and
    /// global memory since the last call of this function.
    LineAccesses take_accesses() { return std::exchange(accesses_, {}); }
    /// The changes of the kernels that were launched since the last call of this function, if they
    /// were asked for.
    ListedChanges take_changes() { return std::exchange(listed_, {}); }
    /// Runs a launch of a kernel of `program` for at most `seconds` and records what it observes.
    /// The answer and the observation report any error.
    wire::LaunchDone run(const wire::ProgramSource& program, const wire::KernelLaunch& launch,
                         const wire::UniqueFd& memory,
                         double seconds = std::numeric_limits<double>::infinity());
    /// Begins a new call of a student's function.
    void begin_call() {
        call_.clear();
        items_of_call_ = 0;
        incomplete_.reset();
        words_.clear();
        last_reads_.clear();
    }
    /// What the buffer that is this argument of the last launch holds before it, if it is short; empty
    /// otherwise.
    std::vector<std::uint32_t> words_given(std::size_t argument) const;
    /// The same after the last launch of `kernel`.
    std::vector<std::uint32_t> words_left(const std::string& kernel, std::size_t argument) const;
    /// What the groups of the last launch have last read in its schedule, if that is explained.
    const std::vector<wire::WordRead>& last_reads() const { return last_reads_; }
    /// An incomplete buffer after the last launch of the call, if there is one.
    const std::optional<IncompleteBuffer>& incomplete_buffer() const { return incomplete_; }
    void set_incomplete_buffer(std::optional<IncompleteBuffer> buffer) {
        incomplete_ = std::move(buffer);
    }
    /// The launches of the call, in order.
    const std::vector<SeenLaunch>& launches_of_call() const { return call_; }
    /// Whether there has been a finding of this kind since the last observation was taken.
    bool has_seen(wire::FindingKind kind) const;
    /// What was observed since the last call of this function.
    Observation take_observation();
    /// The same, but keeps it.
    const Observation& observation() const { return seen_; }
    /// Replaces what was observed since then.
    void set_observation(Observation observation) { seen_ = std::move(observation); }

  private:
    wire::LaunchDone fail(const std::string& reason);
    wire::LaunchDone refuse_size(const std::string& reason);
    wire::LaunchDone ask(const wire::Interpret& request, const wire::UniqueFd& memory,
                         double seconds);
    void record(const wire::KernelLaunch& launch, wire::Analysis& analysis);
    void record(wire::Finding& finding);

    std::string path_;
    RunnerCommand command_;
    std::unique_ptr<RunnerProcess> process_;
    Observation seen_;
    std::vector<SeenLaunch> call_;
    std::size_t items_of_call_ = 0; ///< of its launches that are watched
    std::optional<IncompleteBuffer> incomplete_;
    std::vector<LaunchWords> words_; ///< of the launches of the call
    std::vector<wire::WordRead> last_reads_;
    TrialId trial_;
    std::set<wire::Schedule> other_schedules_;
    std::vector<ObservedFinding> schedule_explanations_;
    std::optional<ObservedFinding> schedule_finding_;
    std::vector<TracedLaunch> traces_;
    LineAccesses accesses_;
    ListedChanges listed_;
    std::uint64_t instructions_ = 0;
};

} // namespace grader
