#pragma once

#include "sandbox/over_limits.hpp"
#include "wire/channel.hpp"
#include "wire/handles.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace grader {

/// Kernels that are known to be endless, at least for some input. Thread-safe.
class EndlessKernels {
  public:
    void add(const std::string& kernel);
    bool contains(const std::string& kernel) const;

  private:
    mutable std::mutex mutex_;
    std::set<std::string> kernels_;
};

/// More launches in a call than any solution of a lab needs: the kernels end, the host does not.
constexpr std::uint32_t most_launches = 300;

/// How long a runner may take. The main limit is its own processor time, which does not grow on a
/// busy machine. The wall clock is for a runner that waits forever.
struct Budget {
    double cpu_seconds = 10;
    double idle_seconds = 10; ///< with all threads asleep, without a break; twice that in total
    double wall_seconds = 90;
    std::uint32_t launches = most_launches;
    /// Of processor time, for one launch.
    double launch_cpu_seconds = std::numeric_limits<double>::infinity();
    /// A launch of one of these gets only `endless_cpu_seconds`: it hung before.
    const EndlessKernels* endless = nullptr;
    double endless_cpu_seconds = 1;
};

/// `budget`, but with at most `seconds` of wall time plus a moment.
Budget within(Budget budget, double seconds);

/// Finding devices and drivers can take long the first time on a machine.
constexpr Budget start_budget{60, 60, 120};

/// How a runner ended during a request, and what it was doing.
struct RunnerEnd {
    enum class How {
        signal,
        exit,
        hang,
        broken_line,  ///< it runs, but closed the connection to the grader or wrote nonsense to it
        kernel_error, ///< it runs, but the device reports that a kernel has failed
        excess        ///< it was stopped for exceeding its limits
    };
    How how = How::exit;
    int code = 0;                      ///< the signal, the exit status or the error of OpenCL
    double seconds = 0;                ///< wall time since the request
    bool asleep = false;               ///< a hang with no thread running at the end
    std::vector<std::string> kernels;  ///< one of them had not ended; empty: all had
    std::uint32_t launch = 0;          ///< the number of the first such launch in the call, from 1
    std::uint32_t launched = 0;        ///< kernels launched in the call until then
    std::uint64_t last_work_items = 0; ///< of the last of these; 0: not known
    std::uint64_t last_group_size = 0; ///< likewise
    bool on_host = false;              ///< the thread that crashed ran host code
    bool unwaited_read = false;        ///< a read was started and not waited for
    std::vector<std::uint64_t> unwaited_frames; ///< where the host started it, innermost first
    std::uint64_t read_bytes = 0;               ///< of the host's last read; 0: there was none
    std::vector<std::uint64_t> read_frames;     ///< where the host made it, innermost first
    bool in_carrier = false;   ///< the process that executes a sealed call's launches ended
    bool unset_event = false;  ///< the host has created a user event and not set it
    bool failed_event = false; ///< the host has set a user event to an error
    wire::MappingMisuse misuse = wire::MappingMisuse::none; ///< the cause of a signal
    std::string call; ///< the OpenCL function that the host was in or that failed; "": none
    std::optional<sandbox::Excess> excess; ///< the limit that it exceeded
    std::vector<std::uint64_t> frames;     ///< of a crash, or where a host hangs, innermost first
};

using Answer = std::variant<wire::Reply, RunnerEnd>;

/// How a launch that a runner handed over ended: if the process that executed it died, the whole
/// call ends.
using LaunchEnd = std::variant<wire::LaunchDone, RunnerEnd>;

/// What a runner can ask for during a call; each request comes with memory.
struct RunnerCallbacks {
    /// Executes a launch.
    std::function<LaunchEnd(const wire::KernelLaunch&, const wire::UniqueFd&)> carry_out;
    /// Replaces the placeholders in the memory with the data.
    std::function<wire::LaunchDone(const wire::Reveal&, const wire::UniqueFd&)> reveal;
};

/// What to start as a runner.
struct RunnerCommand {
    std::vector<std::string> arguments; ///< the program first
    /// Its sandbox, if `arguments` start a supervisor: the supervisor stops all processes in it
    /// when it is asked to stop.
    std::optional<sandbox::Cell> cell;
    /// Once this is true, the answer is no longer needed: the runner is stopped, and starting one or
    /// waiting for its answer throws Abandoned.
    const std::atomic<bool>* abandoned = nullptr;
};

/// Ends a thread whose result nobody needs any more. Not a std::exception, which trials report.
struct Abandoned {};

/// A runner and the connection to it. Destroying this object stops it, with all processes of its
/// group or sandbox.
class RunnerProcess {
  public:
    /// Starts `command`. Throws std::system_error, and Abandoned.
    explicit RunnerProcess(const RunnerCommand& command);
    /// Starts the program at `path` without a sandbox.
    explicit RunnerProcess(const std::string& path)
        : RunnerProcess(RunnerCommand{{path}, {}, nullptr}) {}
    RunnerProcess(const RunnerProcess&) = delete;
    RunnerProcess& operator=(const RunnerProcess&) = delete;
    ~RunnerProcess();

    /// Sends a request and waits for the answer; `callbacks` serves what the runner asks for
    /// meanwhile. After a RunnerEnd this object is unusable. Throws Abandoned.
    Answer ask(const wire::Request& request, const std::vector<const wire::UniqueFd*>& fds,
               const Budget& budget, const RunnerCallbacks& callbacks = {});
    /// The same in two steps: the runner works on the request before the grader waits for its answer.
    void send(const wire::Request& request, const std::vector<const wire::UniqueFd*>& fds,
              const Budget& budget);
    Answer wait(const Budget& budget, const RunnerCallbacks& callbacks = {});

    /// Stops the runner without waiting for its end; the destructor does that.
    void kill() const;

    /// The RunnerEnd that follows from `reply` if the device reports in it that a kernel has failed.
    /// Then this object is unusable, because the device may be, too.
    std::optional<RunnerEnd> kernel_error(const wire::CallReply& reply);

    /// The first and the last failed OpenCL call since the last request; also after a RunnerEnd.
    wire::FailedCall first_failure() const { return journal().first_failure; }
    wire::FailedCall last_failure() const { return journal().last_failure; }

    /// What the runner printed since the last call of this function; only the first part if it is
    /// long.
    std::string take_output();

  private:
    /// How a process ended.
    struct End {
        bool by_signal = false;
        int code = 0;
    };

    /// A launch that runs.
    struct WatchedLaunch {
        std::uint32_t number = 0; ///< launches before it
        double since = 0;         ///< processor time of the runner
    };

    class Watchdog;

    std::optional<Answer> answer_in(const wire::Packet& packet, const RunnerCallbacks& callbacks);
    void read_output();
    bool has_ended() const;
    void end_if_abandoned() const;
    std::vector<pid_t> processes() const;
    bool is_runner(pid_t process) const;
    std::optional<sandbox::Excess> excess() const;
    End stop();
    const wire::Journal& journal() const;
    std::string kernel_under_way(std::uint32_t completed) const;
    std::optional<Answer> answer_soon(const RunnerCallbacks& callbacks, Watchdog& watchdog);
    std::optional<RunnerEnd> look(const Budget& budget, Watchdog& watchdog);
    bool launch_hangs(Watchdog& watchdog, const Budget& budget) const;
    void inquire() const;
    void locate() const;
    RunnerEnd ended_by(RunnerEnd::How how, double seconds);

    pid_t pid_ = -1;
    std::string program_; ///< its file name
    std::optional<sandbox::Cell> cell_;
    const std::atomic<bool>* abandoned_;
    wire::Channel channel_;
    bool is_sent_ = false; ///< the last request
    wire::Mapping journal_memory_;
    wire::UniqueFd output_pipe_;
    std::string output_;
    std::size_t output_dropped_ = 0;
};

} // namespace grader
