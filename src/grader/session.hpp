#pragma once

#include "grader/background_trials.hpp"
#include "grader/device_process.hpp"
#include "grader/explain.hpp"
#include "grader/explanations.hpp"
#include "grader/failure.hpp"
#include "grader/hint_levels.hpp"
#include "grader/interpreter.hpp"
#include "grader/kernel_file.hpp"
#include "grader/lab_info.hpp"
#include "grader/programs.hpp"
#include "grader/runner_process.hpp"
#include "grader/seal.hpp"
#include "grader/unusable.hpp"
#include "report/result.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace grader {

/// The budget of a call with `bytes` of arguments. A second of processor time is ample for a small
/// call on a slow machine with a cold kernel cache, and every element may cost a thousand times
/// what it costs our solutions. A driver that waits for a GPU also uses processor time, however
/// many others share the GPU, so a GPU gets four times as much.
Budget budget_for(std::size_t bytes, const wire::DeviceInfo& device);

/// The time lost by a call with `budget` that killed its runner after `seconds`. A hang loses its
/// budget: how long that takes depends on the machine. A crash loses its time, unless it is quick.
double lost_by(const RunnerEnd& runner_end, double seconds, const Budget& budget);

/// Why labgrind executes further launches of a session instead of the device.
enum class Fallback {
    none,        ///< it does not
    device_errs, ///< correct kernels got a wrong result on the device: it executes all launches
    /// A barrier is missing, and that spoils a result on the device. Where it does so again, labgrind
    /// runs the work-items of each group in lockstep, where it changes nothing, so that cases can judge
    /// everything else.
    barrier_missing,
};

/// What earlier cases of a run have found out, for later ones.
struct KnownSoFar {
    std::optional<SmallTrials> small_trials;             ///< empty until they have run
    std::unique_ptr<BackgroundTrials> background_trials; ///< null: there is none
    std::optional<bool> device_fails_small_trials;       ///< empty until it has run them
    /// How an interpreted trial with unordered commands of the host ended, and the most launches of
    /// any trial that was interpreted to find out.
    std::optional<CaseOutcome> missing_order;
    std::size_t most_launches_in_order = 0;
    Fallback fallback = Fallback::none;
    Explanations explanations;
    /// Kernel files that do not compile, with the case that reports it.
    std::map<std::string, std::string> reported_builds;
    bool starts_reads = false; ///< a call has made a read that does not wait until it has ended
};

/// The case that runs now.
struct RunningCase {
    report::Case* record = nullptr;
    int calls = 0; ///< that it has made
    /// Set if it ended early.
    std::optional<CaseOutcome> outcome = {};
    bool is_unclear = false; ///< a time was not measured clearly enough to cost a point
};

/// One run of one lab: its runner, its inputs' seed, and the result so far.
class Session {
  public:
    struct Options {
        std::string root;   ///< the repository
        std::string files;  ///< folder with the labs/ and kernels/ under test, relative to root
        std::string runner; ///< program, relative to root
        std::string interpreter = "build/labgrind/labgrind"; ///< likewise
        std::string device_program = "build/device/device";  ///< likewise
        bool require_analysis = false; ///< refuse to run if kernels cannot be interpreted
        /// Do not trust the runner: its host code gets placeholders instead of data, and kernels
        /// run in the device process.
        bool sealed = false;
        /// The sandbox of all other processes: a name of sandbox::Protection; "" for none.
        std::string protection;
        std::string confine = "build/sandbox/confine"; ///< program, relative to root
        double seconds = 0; ///< the time for all cases; 0: as long as they take
        int device = -1;    ///< of --list-devices; negative: the best one
        std::uint64_t seed = 0;

        /// The path of a file whose name is absolute or relative to `root`.
        std::string path_of(const std::string& name) const;
    };

    Session(Options options, LabInfo lab);
    /// A session beside `main` whose calls are interpreted: it has its own runner and interpreter,
    /// and stops once `abandoned` is true. Not for a session with protection.
    Session(const Session& main, const std::atomic<bool>& abandoned);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    /// The session that is running. doctest's functions take no arguments, so cases find it here.
    static Session& current();

    /// Starts the runner, opens the device and checks for the lab's kernels. Throws Unusable.
    void open();

    /// Asks a runner to call a function, starting one if there is none. After a RunnerEnd the next call
    /// gets a new runner. If the call is sealed, its arguments and its result are sealed with seal().
    /// Throws std::runtime_error if no runner can be started.
    Answer call(wire::CallFunction request, const std::vector<const wire::UniqueFd*>& fds,
                const Budget& budget, bool is_sealed);
    /// The first and the last failed OpenCL call in the last call(), whether or not the host
    /// checks it.
    const std::optional<wire::FailedCall>& first_failure() const { return first_failure_; }
    const std::optional<wire::FailedCall>& last_failure() const { return last_failure_; }
    Seal& seal() { return seal_; }

    /// What a program contains when built for the device. Throws Unusable.
    wire::ProgramInfo inspect(const wire::ProgramSource& program);

    /// Interprets the launches of calls that ask for it.
    Interpreter& interpreter() { return interpreter_; }
    const LabInfo& lab() const { return lab_; }

    const Options& options() const { return options_; }
    const wire::DeviceInfo& device() const { return device_; }
    /// The folder of the student's host code for this lab.
    std::string host_folder() const {
        return options_.path_of(options_.files + "/labs/" + lab_.name);
    }
    /// The lines of the student's host code in a crashed stack, innermost first.
    std::vector<SourceLine> source_lines(const std::vector<std::uint64_t>& frames);
    /// Why no more cases can run and no more calls can be made; "" if they can.
    std::string why_over() const;
    /// Whether the host has hung in a call of one of its functions.
    bool host_hung() const { return !hung_functions_.empty(); }
    bool time_is_over() const { return seconds_left() < 0; }
    const KernelFile& kernel_file(const std::string& file) const { return kernel_files_.at(file); }
    /// The file that contains `kernel`.
    const KernelFile& file_of(const std::string& kernel) const;
    report::Result& result() { return result_; }
    /// Lines of a kernel file that are probably wrong, as the text alone shows: macros without
    /// parentheses, and what the compiler warns about. For messages, each with a quote.
    std::vector<std::string> suspicious_lines(const KernelFile& file) const;

    HintLevels hints;
    KnownSoFar known;
    RunningCase running; ///< set by the listener in verdicts.cpp

  private:
    void read_kernels();
    void prepare();
    std::unique_ptr<RunnerProcess> begin_runner();
    std::unique_ptr<RunnerProcess> start_runner();
    void open_device(const wire::OpenedDevice& opened);
    void check_compiler();
    void check_kernels(const KernelSource& source, const std::string& options);
    void add_warning(report::Finding warning);
    double seconds_left() const;
    Budget in_time(const Budget& budget) const;
    Budget shortened(Budget budget, const std::string& function = {}) const;
    Budget budget_of_host(const wire::CallFunction& request, const Budget& budget) const;
    void note_end(const Answer& answer, double seconds, const Budget& budget,
                  const std::string& function);
    void note_hang(const RunnerEnd& runner_end, const std::string& function);
    void drop_large_buffers(std::size_t bytes);
    Carried carry_out(const wire::CallFunction& call, const wire::KernelLaunch& launch,
                      const wire::UniqueFd& memory, const Budget& budget);

    Options options_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    Programs programs_;
    LabInfo lab_;
    report::Result result_;
    wire::DeviceInfo device_;
    int device_index_ = -1;
    std::map<std::string, KernelFile> kernel_files_;
    std::unique_ptr<RunnerProcess> runner_;
    std::size_t largest_call_ =
        0;                       ///< bytes of arguments, since drop_large_buffers() ended a runner
    std::size_t kept_bytes_ = 0; ///< of the largest buffer from an earlier call, in the last call
    /// For calls whose launches are withheld: host code can keep results from call to call, and
    /// this runner has none.
    std::unique_ptr<RunnerProcess> unaware_runner_;
    std::unique_ptr<RunnerProcess> next_runner_; ///< to be taken instead of starting one, or null
    std::optional<wire::FailedCall> first_failure_;
    std::optional<wire::FailedCall> last_failure_;
    Seal seal_;                                   ///< in a sealed session
    std::optional<DeviceProcess> device_process_; ///< likewise
    Interpreter interpreter_;
    std::size_t most_memory_ = 0; ///< the most bytes of a launch, of all calls so far
    bool hung_before_ = false;
    std::set<std::string> hung_functions_; ///< the host's functions that did not return
    std::shared_ptr<EndlessKernels> endless_kernels_ = std::make_shared<EndlessKernels>();
    double lost_seconds_ = 0; ///< see lost_by()
    bool lines_are_unreadable_ = false;
};

/// The devices that a runner sees. Throws Unusable.
std::vector<wire::DeviceInfo> list_devices(const std::string& runner);

} // namespace grader
