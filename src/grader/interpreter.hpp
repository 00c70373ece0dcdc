#pragma once

#include "grader/host_order.hpp"
#include "grader/runner_process.hpp"

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// A mistake, and the trial in which it was seen first.
struct ObservedFinding {
    wire::Finding finding;
    std::string trial; ///< "n = 257, work-group size 64"; "" for none
};

/// What was seen of the launches that have been interpreted since somebody asked last.
struct Observation {
    std::vector<ObservedFinding> findings; ///< one for each kind and place, first seen first
    std::vector<wire::WorkCounts> work;    ///< a launch each, in order
    std::string failure;                   ///< why a launch could not be watched; "" if all were
    bool cut_short = false;                ///< a finding ended a launch before its end
    /// Where and by what the kernels can find out which device they run on; "": they cannot.
    int difference_line = 0;
    std::string difference;
    /// The first line of each kernel where work-items compare and swap the same word.
    std::map<std::string, int> contended_lines;

    bool clean() const { return failure.empty() && findings.empty(); }
};

/// The kind of mistake that a kernel makes which never ends.
constexpr const char* endless_loop = "endless-loop";

/// Whether a mistake of this kind is among what was seen.
bool has(const Observation& seen, const std::string& kind);

/// The process that interprets kernels, started when the first launch comes. It holds no student
/// host code: what it reports is evidence.
class Interpreter {
  public:
    /// `path` is the program labgrind.
    explicit Interpreter(std::string path) : path_(std::move(path)), command_{{path_}, {}} {}

    /// Starts the program by `command` from now on.
    void start_by(RunnerCommand command) { command_ = std::move(command); }

    /// Whether this machine has it.
    bool installed() const;
    /// The launches to come belong to this trial.
    void set_trial(std::string trial) { trial_ = std::move(trial); }
    /// Whether work-items of the launches to come get in each other's way at compare-and-swaps.
    void set_contended(bool contended) { contended_ = contended; }
    bool contended() const { return contended_; }
    /// Not 0: from here on, orders drawn from this are tried of each launch.
    void set_seed(std::uint64_t seed) { seed_ = seed; }
    /// Not 0: the launches to come take the drawn order of this number.
    void set_order(int order, bool explain = false) {
        order_ = order;
        explain_order_ = explain;
    }
    /// The orders in which launches since the last call of this have had other results.
    std::set<int> take_other_orders() { return std::exchange(other_orders_, {}); }
    /// What happened in the last launch in a drawn order.
    const ObservedFinding& order_finding() const { return order_finding_; }
    /// Adds what is found out elsewhere to what was seen.
    void add(ObservedFinding finding) { seen_.findings.push_back(std::move(finding)); }
    /// Whether only the first and the last group of the launches to come are run.
    void set_ends_only(bool ends_only) { ends_only_ = ends_only; }
    /// Of launches to come with more memory than that, only the results are wanted.
    void watch_up_to(std::size_t bytes) { most_watched_bytes_ = bytes; }
    /// Carries out a launch of a kernel of `program` and keeps what was seen of it, if that
    /// takes no longer than `seconds`. Whatever goes wrong is told in the answer and in the
    /// observation.
    wire::LaunchDone run(const wire::ProgramSource& program, const wire::KernelLaunch& launch,
                         const wire::UniqueFd& memory,
                         double seconds = std::numeric_limits<double>::infinity());
    /// A new call of a student's function begins.
    void begin_call() { call_.clear(); }
    /// The launches of the call, in order.
    const std::vector<SeenLaunch>& launches_of_call() const { return call_; }
    /// Whether a mistake of this kind has been seen since then.
    bool has_seen(const std::string& kind) const;
    /// The same of one kernel.
    bool has_seen(const std::string& kind, const std::string& kernel) const;
    /// What was seen since the last call of this.
    Observation take_observation();

  private:
    wire::LaunchDone fail(const std::string& reason);

    std::string path_;
    RunnerCommand command_;
    std::unique_ptr<RunnerProcess> process_;
    Observation seen_;
    std::vector<SeenLaunch> call_;
    std::string trial_;
    bool contended_ = false;
    bool ends_only_ = false;
    std::size_t most_watched_bytes_ = std::numeric_limits<std::size_t>::max();
    std::uint64_t seed_ = 0;
    int order_ = 0;
    bool explain_order_ = false;
    std::set<int> other_orders_;
    ObservedFinding order_finding_;
};

} // namespace grader
