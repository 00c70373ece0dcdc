#include "grader/runner_process.hpp"

#include "sandbox/processes.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace grader {
namespace {

using wire::throw_errno;

/// How much of a runner's output is kept per case; the rest is read and dropped.
constexpr std::size_t max_output = std::size_t{64} << 10;

/// Kernels that are considered as the cause of a crash.
constexpr std::uint32_t max_suspects = 16;

/// The errors by which drivers report later that a kernel has failed: CL_OUT_OF_RESOURCES,
/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_COMMAND_QUEUE and one of NVIDIA's own.
constexpr int out_of_resources = -5;
constexpr std::array<int, 4> kernel_errors{out_of_resources, -14, -36, -9999};

/// How often processor time and the process's state are checked.
constexpr int poll_milliseconds = 50;

/// Whether no thread of a process is running, ready to run, or waiting for a disk or a driver.
bool sleeps(pid_t process) {
    std::error_code error;
    const std::string tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto& task : fs::directory_iterator(tasks, error)) {
        std::ifstream stream(task.path() / "stat");
        std::string text;
        std::getline(stream, text);
        // "12 (name) S ...": the name can contain anything, even brackets.
        const auto state = text.rfind(") ");
        if (state != std::string::npos &&
            std::string("RD").find(text[state + 2]) != std::string::npos)
            return false;
    }
    return true;
}

using MaybeExcess = std::optional<sandbox::Excess>;

/// Thrown when a runner has to be stopped for exceeding its limits.
struct Stopped {
    sandbox::Excess excess;
};

/// Watches what a runner uses while the grader serves its request, and stops it if it exceeds its
/// limits.
class Watch {
  public:
    Watch(pid_t supervisor, const std::optional<sandbox::Cell>& cell) {
        if (cell)
            thread_ = std::thread([this, supervisor, &cell] { look(supervisor, *cell); });
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() { end(); }

    /// Why the runner was stopped; nothing if it was not.
    MaybeExcess end() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        changed_.notify_one();
        if (thread_.joinable())
            thread_.join();
        return excess_;
    }

  private:
    void look(pid_t supervisor, const sandbox::Cell& cell) {
        std::unique_lock lock(mutex_);
        while (!excess_ && !changed_.wait_for(lock, pause, [this] { return ends_; })) {
            excess_ = sandbox::over_limits(supervisor, cell);
            if (excess_)
                ::kill(supervisor, SIGTERM);
        }
    }

    static constexpr std::chrono::milliseconds pause{poll_milliseconds};

    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false;
    MaybeExcess excess_;
    std::thread thread_;
};

double cpu_seconds_of(const std::vector<pid_t>& processes) {
    double sum = 0;
    for (const pid_t process : processes) {
        clockid_t clock{};
        timespec time{};
        if (::clock_getcpuclockid(process, &clock) == 0 && ::clock_gettime(clock, &time) == 0)
            sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }
    return sum;
}

} // namespace

void EndlessKernels::add(const std::string& kernel) {
    const std::lock_guard lock(mutex_);
    kernels_.insert(kernel);
}

bool EndlessKernels::contains(const std::string& kernel) const {
    const std::lock_guard lock(mutex_);
    return kernels_.contains(kernel);
}

Budget within(Budget budget, double seconds) {
    constexpr double grace = 5; // a call that is nearly done may end
    budget.wall_seconds = std::min(budget.wall_seconds, std::max(seconds, 0.0) + grace);
    return budget;
}

/// The time of a request, and how much of it the runner worked and slept.
class RunnerProcess::Watchdog {
  public:
    explicit Watchdog(const std::vector<pid_t>& processes)
        : cpu_start_(cpu_seconds_of(processes)) {}

    /// Seconds since the request.
    double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    /// The runner waited for the grader until now.
    void start_over() { awake_at_ = last_look_ = elapsed(); }

    /// Whether it is time for another look.
    bool is_due() const { return elapsed() - last_look_ >= poll_milliseconds * 1e-3; }

    void look(const std::vector<pid_t>& processes) {
        const double since_last_look = elapsed() - last_look_;
        last_look_ += since_last_look;
        if (std::ranges::all_of(processes, sleeps))
            asleep_seconds_ += since_last_look;
        else
            awake_at_ = elapsed();
        cpu_seconds_ = cpu_seconds_of(processes) - cpu_start_;
    }

    /// The runner's processor time for the request, at the last look.
    double cpu_seconds() const { return cpu_seconds_; }

    /// Whether the runner sleeps. One that only wakes now and then counts as asleep, too.
    bool is_asleep(const Budget& budget) const {
        return elapsed() - awake_at_ > budget.idle_seconds ||
               asleep_seconds_ > 2 * budget.idle_seconds;
    }

    std::optional<WatchedLaunch> watched;

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double cpu_start_;
    double cpu_seconds_ = 0;
    double awake_at_ = 0; ///< when a thread was last seen running, in seconds since the start
    double last_look_ = 0;
    double asleep_seconds_ = 0; ///< in all
};

RunnerProcess::RunnerProcess(const RunnerCommand& command)
    : program_(fs::path(command.arguments.back()).filename()), cell_(command.cell),
      abandoned_(command.abandoned), channel_(wire::UniqueFd()) {
    end_if_abandoned();
    const std::string& path = command.arguments.front();
    if (::access(path.c_str(), X_OK) != 0)
        throw_errno("cannot run " + path);
    auto [own_end, other_end] = wire::Channel::create_pair();
    const wire::UniqueFd journal = wire::create_shared_memory("journal", sizeof(wire::Journal));
    journal_memory_ = wire::Mapping(journal, sizeof(wire::Journal), wire::Mapping::Access::read);
    wire::PipeEnds output = wire::create_pipe();
    ::fcntl(output.reader.get(), F_SETFL, O_NONBLOCK);
    wire::Program program;
    program.arguments = command.arguments;
    program.descriptors = {wire::null_device, output.writer.get(), output.writer.get(),
                           other_end.fd(), journal.get()};
    static_assert(wire::runner_channel_fd == 3 && wire::runner_journal_fd == 4);
    program.own_group = true;
    program.death_signal = cell_ ? SIGTERM : SIGKILL;
    pid_ = wire::start(program);
    output_pipe_ = std::move(output.reader);
    channel_ = std::move(own_end);
}

RunnerProcess::~RunnerProcess() { stop(); }

void RunnerProcess::kill() const {
    if (pid_ < 0)
        return;
    if (cell_) {
        ::kill(pid_, SIGTERM); // the supervisor stops all of its processes and waits for them
    } else {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL); // it may have left its group
    }
}

RunnerProcess::End RunnerProcess::stop() {
    if (pid_ < 0)
        return {};
    kill();
    const int status = wire::wait_for(std::exchange(pid_, -1));
    if (WIFSIGNALED(status))
        return {true, WTERMSIG(status)};
    return {false, WEXITSTATUS(status)};
}

void RunnerProcess::end_if_abandoned() const {
    if (abandoned_ != nullptr && *abandoned_)
        throw Abandoned{};
}

bool RunnerProcess::has_ended() const { return wire::has_ended(pid_); }

/// The processes whose time counts: the runner, or all processes under its supervisor.
std::vector<pid_t> RunnerProcess::processes() const {
    return cell_ ? sandbox::descendants(pid_) : std::vector<pid_t>{pid_};
}

/// Whether `process` is the runner itself, not its sandbox or a child of it.
bool RunnerProcess::is_runner(pid_t process) const {
    std::error_code gone;
    const fs::path program = fs::read_symlink("/proc/" + std::to_string(process) + "/exe", gone);
    return !cell_ || program.filename() == program_;
}

std::optional<sandbox::Excess> RunnerProcess::excess() const {
    return cell_ ? sandbox::over_limits(pid_, *cell_) : std::nullopt;
}

/// Reads what the runner has printed, but at most a full pipe at a time: the clock must be checked
/// while it keeps printing.
void RunnerProcess::read_output() {
    constexpr int reads = 17; // a pipe's 64 KiB, and the end
    std::array<char, 4096> buffer{};
    for (int i = 0; i < reads; ++i) {
        const ssize_t count = ::read(output_pipe_.get(), buffer.data(), buffer.size());
        if (count <= 0)
            return;
        const auto bytes = static_cast<std::size_t>(count);
        const std::size_t kept = std::min(bytes, max_output - output_.size());
        output_.append(buffer.data(), kept);
        output_dropped_ += bytes - kept;
    }
}

std::string RunnerProcess::take_output() {
    read_output();
    std::string output = std::move(output_);
    if (output_dropped_ != 0)
        output += "\n... and " + std::to_string(output_dropped_) + " more bytes\n";
    output_.clear();
    output_dropped_ = 0;
    return output;
}

const wire::Journal& RunnerProcess::journal() const {
    return *static_cast<const wire::Journal*>(journal_memory_.data());
}

/// The first kernel after the `completed` ones of this call; "" if there is none.
std::string RunnerProcess::kernel_under_way(std::uint32_t completed) const {
    return completed < journal().launched
               ? wire::text_of(journal().kernels[completed % wire::Journal::launch_slots])
               : "";
}

/// Gives the runner a moment to count its completed kernels.
void RunnerProcess::inquire() const {
    const wire::Journal& journal = this->journal();
    const std::uint32_t before = journal.inquiries;
    for (const pid_t process : processes()) {
        if (is_runner(process))
            ::kill(process, wire::inquiry_signal);
    }
    for (int i = 0; i < 10 && journal.inquiries == before && !has_ended(); ++i)
        ::poll(nullptr, 0, poll_milliseconds);
}

/// Makes a runner whose host hangs note where that is, which ends it.
void RunnerProcess::locate() const {
    for (const pid_t process : processes()) {
        if (is_runner(process))
            ::tgkill(process, process, SIGABRT); // its main thread runs host code
    }
    for (int i = 0; i < 20 && !has_ended(); ++i)
        ::poll(nullptr, 0, poll_milliseconds);
}

/// Whether the launch under way has used up its time, by the runner's processor time.
bool RunnerProcess::launch_hangs(Watchdog& watchdog, const Budget& budget) const {
    std::optional<WatchedLaunch>& watched = watchdog.watched;
    const std::uint32_t completed = journal().completed;
    if (completed >= journal().launched) {
        watched.reset();
        return false;
    }
    if (!watched || watched->number != completed)
        watched = WatchedLaunch{completed, watchdog.cpu_seconds()};
    const bool is_endless =
        budget.endless != nullptr && budget.endless->contains(kernel_under_way(completed));
    if (watchdog.cpu_seconds() - watched->since <=
        (is_endless ? budget.endless_cpu_seconds : budget.launch_cpu_seconds))
        return false;
    inquire(); // it may have ended without being counted
    return journal().completed == watched->number;
}

RunnerEnd RunnerProcess::ended_by(RunnerEnd::How how, double seconds) {
    RunnerEnd runner_end;
    runner_end.how = how;
    runner_end.seconds = seconds;
    const wire::Journal& journal = this->journal();
    // Ask a runner that lives before it is stopped: afterwards it cannot answer.
    const bool can_answer = how == RunnerEnd::How::hang || how == RunnerEnd::How::kernel_error;
    if (can_answer)
        inquire();
    const std::uint32_t launched = journal.launched;
    const std::uint32_t completed = journal.completed;
    runner_end.launched = launched;
    runner_end.last_work_items = journal.last_work_items;
    runner_end.last_group_size = journal.last_group_size;
    if (completed < launched)
        runner_end.launch = completed + 1;
    // Which of several kernels hangs or fails is known; which of them crashed is not.
    const std::uint32_t last = can_answer ? completed + 1 : launched;
    for (std::uint32_t i = completed; i < launched && i < last && i - completed < max_suspects;
         ++i) {
        const std::string name = wire::text_of(journal.kernels[i % wire::Journal::launch_slots]);
        if (!name.empty() &&
            std::ranges::find(runner_end.kernels, name) == runner_end.kernels.end())
            runner_end.kernels.push_back(name);
    }
    runner_end.call = wire::text_of(journal.call);
    const bool waits = runner_end.call == "clFinish" || runner_end.call == "clWaitForEvents";
    runner_end.unwaited_read = journal.unwaited_read != 0 && !waits;
    if (runner_end.unwaited_read)
        runner_end.unwaited_frames = wire::addresses_in(journal.unwaited_frames);
    runner_end.read_bytes = journal.read_bytes;
    if (runner_end.read_bytes != 0)
        runner_end.read_frames = wire::addresses_in(journal.read_frames);
    runner_end.unset_event = journal.unset_events != 0;
    runner_end.failed_event = journal.failed_events != 0;
    runner_end.misuse = static_cast<wire::MappingMisuse>(journal.mapping_misuse.load());

    if (how == RunnerEnd::How::hang && completed >= launched)
        locate();
    const End end = stop();
    read_output();
    runner_end.frames = wire::addresses_in(journal.frames);
    if (how != RunnerEnd::How::exit)
        return runner_end;
    if (end.by_signal)
        runner_end.how = RunnerEnd::How::signal;
    runner_end.code = end.code;
    runner_end.on_host = journal.crashed_on_host != 0;
    return runner_end;
}

std::optional<RunnerEnd> RunnerProcess::kernel_error(const wire::CallReply& reply) {
    const bool is_about_kernels =
        reply.outcome == wire::Outcome::opencl_error &&
        std::ranges::find(kernel_errors, reply.error_code) != kernel_errors.end();
    // A launch that needs too much is refused at once.
    const bool is_refused =
        reply.error_code == out_of_resources && reply.call == "clEnqueueNDRangeKernel";
    if (!is_about_kernels || is_refused || journal().launched == 0)
        return std::nullopt;
    RunnerEnd runner_end = ended_by(RunnerEnd::How::kernel_error, reply.seconds);
    runner_end.code = reply.error_code;
    runner_end.call = reply.call;
    // Some drivers count a kernel that has failed as completed.
    if (runner_end.kernels.empty() && runner_end.launched == 1) {
        runner_end.kernels = {wire::text_of(journal().kernels.front())};
        runner_end.launch = 1;
    }
    return runner_end;
}

/// The answer in a packet. If the packet is a request, serves it and returns nothing.
std::optional<Answer> RunnerProcess::answer_in(const wire::Packet& packet,
                                               const RunnerCallbacks& callbacks) {
    wire::Reply reply = wire::decode_reply(packet.text);
    const auto* launch = std::get_if<wire::KernelLaunch>(&reply);
    const auto* reveal = std::get_if<wire::Reveal>(&reply);
    if (launch == nullptr && reveal == nullptr)
        return reply;
    if (packet.fds.size() != 1 || (launch != nullptr ? !callbacks.carry_out : !callbacks.reveal))
        throw std::runtime_error("the runner asks for something that the grader does not offer");
    Watch watch(pid_, cell_);
    LaunchEnd end = launch != nullptr ? callbacks.carry_out(*launch, packet.fds.front())
                                      : LaunchEnd(callbacks.reveal(*reveal, packet.fds.front()));
    if (const MaybeExcess excess = watch.end())
        throw Stopped{*excess};
    if (auto* runner_end = std::get_if<RunnerEnd>(&end)) {
        stop();
        return std::move(*runner_end);
    }
    channel_.send(wire::encode(wire::Request{std::get<wire::LaunchDone>(end)}));
    return std::nullopt;
}

/// Waits a moment for an answer; serves what the runner asks for meanwhile. Returns how the request
/// ended, if it has.
std::optional<Answer> RunnerProcess::answer_soon(const RunnerCallbacks& callbacks,
                                                 Watchdog& watchdog) {
    end_if_abandoned();
    std::array<pollfd, 2> waiting{{{channel_.fd(), POLLIN, 0}, {output_pipe_.get(), POLLIN, 0}}};
    ::poll(waiting.data(), waiting.size(), poll_milliseconds);
    read_output();
    if (const auto packet = channel_.receive_available()) {
        if (auto answer = answer_in(*packet, callbacks))
            return answer;
        watchdog.start_over();
    }
    if (!has_ended())
        return std::nullopt;
    if (const auto packet = channel_.receive_available()) // its last words
        return wire::decode_reply(packet->text);
    return ended_by(RunnerEnd::How::exit, watchdog.elapsed());
}

/// Looks at what the runner uses, and returns its runner_end if it hangs.
std::optional<RunnerEnd> RunnerProcess::look(const Budget& budget, Watchdog& watchdog) {
    if (const MaybeExcess too_much = excess())
        throw Stopped{*too_much};
    watchdog.look(processes());
    const bool asleep = watchdog.is_asleep(budget);
    if (!asleep && watchdog.cpu_seconds() <= budget.cpu_seconds &&
        watchdog.elapsed() <= budget.wall_seconds && journal().launched <= budget.launches &&
        !launch_hangs(watchdog, budget))
        return std::nullopt;
    RunnerEnd hang = ended_by(RunnerEnd::How::hang, watchdog.elapsed());
    hang.asleep = asleep;
    return hang;
}

Answer RunnerProcess::ask(const wire::Request& request,
                          const std::vector<const wire::UniqueFd*>& fds, const Budget& budget,
                          const RunnerCallbacks& callbacks) {
    send(request, fds, budget);
    return wait(budget, callbacks);
}

void RunnerProcess::send(const wire::Request& request,
                         const std::vector<const wire::UniqueFd*>& fds, const Budget& budget) {
    is_sent_ = false;
    try {
        // A runner that does not read must not keep the grader from stopping it.
        const timeval patience{1 + static_cast<time_t>(budget.wall_seconds), 0};
        ::setsockopt(channel_.fd(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        channel_.send(wire::encode(request), fds);
        is_sent_ = true;
    } catch (const std::exception&) { // wait() says how the runner ended
    }
}

Answer RunnerProcess::wait(const Budget& budget, const RunnerCallbacks& callbacks) {
    Watchdog watchdog(processes());
    try {
        if (!is_sent_)
            throw std::runtime_error("the runner has not taken the request");
        for (;;) {
            if (auto answer = answer_soon(callbacks, watchdog))
                return std::move(*answer);
            if (!watchdog.is_due())
                continue;
            if (auto hang = look(budget, watchdog))
                return std::move(*hang);
        }
    } catch (const Stopped& stopped) {
        RunnerEnd end_by_excess = ended_by(RunnerEnd::How::excess, watchdog.elapsed());
        end_by_excess.excess = stopped.excess;
        return end_by_excess;
    } catch (const std::exception&) {
        // The connection broke, or the data is not a message. Give a process that is ending the
        // moment it needs to leave its status.
        for (int i = 0; i < 20 && !has_ended(); ++i)
            ::poll(nullptr, 0, poll_milliseconds);
        return ended_by(has_ended() ? RunnerEnd::How::exit : RunnerEnd::How::broken_line,
                        watchdog.elapsed());
    }
}

} // namespace grader
