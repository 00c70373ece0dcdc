#include "grade/command.hpp"

#include "wire/handles.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace grade {
namespace {

constexpr std::size_t max_output = std::size_t{256} << 10;

/// Time for a sandbox to end its processes, once it is asked to.
constexpr std::chrono::seconds grace{10};

/// How often limits are checked.
constexpr int poll_milliseconds = 100;

std::vector<std::string> environment_of(const Command& command) {
    std::vector<std::string> all;
    for (char** entry = ::environ; *entry != nullptr; ++entry) {
        const std::string variable = *entry;
        const std::string name = variable.substr(0, variable.find('='));
        if (std::ranges::none_of(command.environment,
                                 [&](const auto& own) { return own.first == name; }))
            all.push_back(variable);
    }
    for (const auto& [name, value] : command.environment)
        all.emplace_back(name).append("=").append(value);
    return all;
}

/// A process that is always waited for.
class Child {
  public:
    explicit Child(const Command& command) {
        wire::PipeEnds output = wire::create_pipe();
        wire::Program program;
        program.arguments = command.arguments;
        program.environment = environment_of(command);
        program.directory = command.directory;
        program.descriptors = {wire::null_device, output.writer.get(), output.writer.get()};
        program.own_group = true;
        program.death_signal = SIGTERM;
        pid_ = wire::start(program);
        output_ = std::move(output.reader);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ > 0) {
            end();
            wait();
        }
    }

    pid_t pid() const { return pid_; }

    /// Returns what it has printed since; waits this many milliseconds for it.
    std::string read(int milliseconds) {
        pollfd waiting{output_.get(), POLLIN, 0}; // of no descriptor once the output has ended
        if (::poll(&waiting, 1, milliseconds) <= 0)
            return {};
        std::array<char, 65536> buffer{};
        const ssize_t count = ::read(output_.get(), buffer.data(), buffer.size());
        if (count == 0 || (count < 0 && errno != EINTR))
            output_.reset();
        return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
    }

    bool has_ended() const { return wire::has_ended(pid_); }

    /// Asks it to end; a sandbox ends its processes first.
    void end() const { ::kill(pid_, SIGTERM); }

    /// Ends it and its group without asking.
    void kill() const { ::kill(-pid_, SIGKILL); }

    int wait() {
        const int status = wire::wait_for(std::exchange(pid_, -1));
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

  private:
    wire::UniqueFd output_;
    pid_t pid_ = -1;
};

std::optional<sandbox::Excess> excess_of(const Child& child, const Command& command) {
    return command.cell ? sandbox::over_limits(child.pid(), *command.cell) : std::nullopt;
}

} // namespace

Outcome run(const Command& command) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto next_look = start;
    auto deadline = start;
    Child child(command);
    Outcome outcome;
    bool ended = false;
    for (;;) {
        // Checked before its output is read: so nothing is missed, and processes that still hold
        // its output open are not waited for.
        ended = child.has_ended();
        const std::string printed = child.read(ended ? 0 : poll_milliseconds);
        outcome.output += printed.substr(0, max_output - outcome.output.size());
        if (command.watch)
            command.watch();
        if (ended && printed.empty())
            break;
        const auto now = Clock::now();
        if (ended || now < next_look)
            continue;
        next_look = now + std::chrono::milliseconds(poll_milliseconds);
        if (!outcome.ended.empty()) {
            if (now > deadline)
                child.kill();
            continue;
        }
        if (std::chrono::duration<double>(now - start).count() > command.seconds)
            outcome.ended =
                "it took more than " + std::to_string(static_cast<int>(command.seconds)) + " s";
        else if (const auto excess = excess_of(child, command))
            outcome.ended = sandbox::describe(*excess);
        if (!outcome.ended.empty())
            child.end();
        deadline = now + grace;
    }
    child.kill(); // the rest of its group
    outcome.status = child.wait();
    return outcome;
}

std::string why_without_result(const Outcome& outcome) {
    if (!outcome.ended.empty())
        return "the grader was stopped because " + outcome.ended;
    // At the beginning of a line: output of the student's program can come after it.
    const std::string mark = "\nharness: ";
    const std::string output = '\n' + outcome.output;
    const auto at = output.find(mark);
    if (at == std::string::npos)
        return "the grader ended without a result, with status " + std::to_string(outcome.status);
    std::string reason = output.substr(at + mark.size());
    while (!reason.empty() && reason.back() == '\n')
        reason.pop_back();
    return reason;
}

} // namespace grade
