#pragma once

#include "sandbox/sandbox.hpp"
#include "wire/channel.hpp"
#include "wire/handles.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace grader {

/// Kernels that are known not to come to an end, at least for some input. Several threads may add and
/// ask.
class EndlessKernels {
  public:
    void add(const std::string& kernel);
    bool contains(const std::string& kernel) const;

  private:
    mutable std::mutex mutex_;
    std::set<std::string> kernels_;
};

/// How long a runner may take. What decides is the processor time it used itself, which a busy
/// machine does not stretch; the wall clock is there for a runner that waits forever.
struct Budget {
    double cpu_seconds = 10;
    double idle_seconds = 10; ///< with every thread asleep at a time; twice that in all
    double wall_seconds = 90;
    /// A launch of one of these gets so much processor time: what hung once is not waited for again.
    const EndlessKernels* endless = nullptr;
    double endless_cpu_seconds = 1;
};

/// `budget`, but no more wall time than `seconds` and a moment.
Budget within(Budget budget, double seconds);

/// Finding devices and drivers can take long on a machine that does it for the first time.
constexpr Budget start_budget{60, 60, 120};

/// How a runner came to its end while a request was under way, and what it was doing.
struct Death {
    enum class How {
        signal,
        exit,
        hang,
        broken_line, ///< it lives, but closed the line to the grader or wrote nonsense to it
        excess       ///< it was ended for what it used
    };
    How how = How::exit;
    int code = 0;               ///< the signal, or the exit status
    double seconds = 0;         ///< wall time since the request
    bool asleep = false;        ///< a hang in which no thread was running in the end
    std::string kernel;         ///< the first kernel launched and not ended; "": none
    std::uint32_t launch = 0;   ///< its number within the call, from 1
    std::uint32_t launched = 0; ///< kernels launched in the call until then
    bool on_host = false;       ///< the thread that crashed ran host code
    bool unwaited_read = false; ///< a read was started that nobody had waited for
    wire::MappingMisuse misuse = wire::MappingMisuse::none; ///< that a signal came of
    std::string call;                  ///< the OpenCL function the host was in; "": none
    std::string excess;                ///< what it used too much of
    std::vector<std::uint64_t> frames; ///< the crashed stack, innermost first
};

using Answer = std::variant<wire::Reply, Death>;

/// How a launch came to its end that a runner had handed over: the death of who carried it out is
/// the end of the whole call.
using LaunchEnd = std::variant<wire::LaunchDone, Death>;

/// What a runner may ask for while a call is under way; memory comes with each.
struct Errands {
    /// Carries out a launch.
    std::function<LaunchEnd(const wire::KernelLaunch&, const wire::UniqueFd&)> carry_out;
    /// Puts the data into the memory that it stands for.
    std::function<wire::LaunchDone(const wire::Reveal&, const wire::UniqueFd&)> reveal;
};

/// What to start as a runner.
struct RunnerCommand {
    std::vector<std::string> arguments; ///< the program first
    /// What it is kept in, if `arguments` start a supervisor that keeps it there: that ends all of
    /// it when it is asked to end.
    std::optional<sandbox::Cell> cell;
    /// Once this is true nobody wants an answer any more: the runner is ended.
    const std::atomic<bool>* abandoned = nullptr;
};

/// A runner and the line to it. It is ended, with all processes of its group or of its sandbox, when
/// this object is.
class RunnerProcess {
  public:
    /// Starts `command`. Throws std::system_error.
    explicit RunnerProcess(const RunnerCommand& command);
    /// Starts the program at `path`, in no sandbox.
    explicit RunnerProcess(const std::string& path)
        : RunnerProcess(RunnerCommand{{path}, {}, nullptr}) {}
    RunnerProcess(const RunnerProcess&) = delete;
    RunnerProcess& operator=(const RunnerProcess&) = delete;
    RunnerProcess(RunnerProcess&&) = delete;
    RunnerProcess& operator=(RunnerProcess&&) = delete;
    ~RunnerProcess();

    /// Sends a request and waits for the answer; what the runner asks for meanwhile goes to `errands`.
    /// After a Death this object is of no more use.
    Answer ask(const wire::Request& request, const std::vector<const wire::UniqueFd*>& fds,
               const Budget& budget, const Errands& errands = {});

    /// What the runner printed since the last call of this: its first part, if it was very much.
    std::string take_output();

  private:
    /// What is known of a process that has ended.
    struct End {
        bool by_signal = false;
        int code = 0;
    };

    /// A launch of a kernel that is known not to end.
    struct WatchedLaunch {
        std::uint32_t number = 0; ///< launches before it
        double since = 0;         ///< processor time of the runner
    };

    std::optional<Answer> answer_in(const wire::Packet& packet, const Errands& errands);
    void read_output();
    bool has_ended() const;
    std::vector<pid_t> processes() const;
    bool is_runner(pid_t process) const;
    std::string excess() const;
    End stop();
    const wire::Journal& journal() const;
    std::string kernel_under_way(std::uint32_t completed) const;
    bool is_endless_again(std::optional<WatchedLaunch>& watched, double cpu_seconds,
                          const Budget& budget) const;
    void inquire() const;
    Death death(Death::How how, double seconds);

    pid_t pid_ = -1;
    std::string program_; ///< its file name
    std::optional<sandbox::Cell> cell_;
    const std::atomic<bool>* abandoned_;
    wire::Channel channel_;
    wire::Mapping journal_memory_;
    wire::UniqueFd output_pipe_;
    std::string output_;
    std::size_t output_dropped_ = 0;
};

} // namespace grader
