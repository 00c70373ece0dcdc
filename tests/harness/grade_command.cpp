#include "grade/command.hpp"
#include "helpers.hpp"
#include "wire/handles.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>

using grade::Command;
using grade::Outcome;
using grade::run;
using helpers::has;
using helpers::program;

namespace {

constexpr std::size_t max_output = std::size_t{256} << 10;

Command shell(const std::string& script) {
    Command command;
    command.arguments = {"/bin/sh", "-c", script};
    return command;
}

Outcome run_shell(const std::string& script) { return run(shell(script)); }

/// Runs `command`, which never ends on its own, with a very short limit, and with longer ones until
/// it has printed something. Checks that it ends soon after its limit.
Outcome run_briefly(Command command) {
    constexpr double most_seconds = 10;
    command.seconds = 0.3;
    for (;;) {
        const auto start = std::chrono::steady_clock::now();
        Outcome outcome = run(command);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        CHECK(seconds.count() >= command.seconds);
        CHECK(seconds.count() < command.seconds + 20);
        CHECK(has(outcome.ended, "it took more than"));
        CHECK_FALSE(outcome.succeeded());
        if (!outcome.output.empty() || command.seconds > most_seconds)
            return outcome;
        command.seconds *= 2;
    }
}

} // namespace

TEST_CASE("a command's status and output are returned") {
    const Outcome outcome = run_shell("echo text");
    CHECK(outcome.status == 0);
    CHECK(outcome.ended.empty());
    CHECK(outcome.output == "text\n");
    CHECK(outcome.succeeded());
    const Outcome failed = run_shell("printf 'not a line'; exit 3");
    CHECK(failed.status == 3);
    CHECK(failed.ended.empty());
    CHECK(failed.output == "not a line");
    CHECK_FALSE(failed.succeeded());
}

TEST_CASE("a command killed by a signal has a status of 128 plus the signal") {
    for (const int signal : {SIGKILL, SIGSEGV, SIGTERM}) {
        CAPTURE(signal);
        const Outcome outcome = run_shell("ulimit -c 0; kill -" + std::to_string(signal) + " $$");
        CHECK(outcome.status == 128 + signal);
        CHECK(outcome.ended.empty());
    }
}

TEST_CASE("both streams of a command are returned in order") {
    CHECK(run_shell("echo one; echo two >&2; echo three").output == "one\ntwo\nthree\n");
}

TEST_CASE("a command gets its arguments unchanged") {
    Command command;
    command.arguments = {"/bin/sh", "-c", "printf '<%s>' \"$@\"", "sh", "a b", "", "$x;'\"\n"};
    CHECK(run(command).output == "<a b><><$x;'\"\n>");
}

TEST_CASE("a command has no input, whatever the program's own input is") {
    CHECK(helpers::survives([] {
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0 || ::write(pipe[1], "ours\n", 5) != 5 ||
            ::dup2(pipe[0], STDIN_FILENO) != STDIN_FILENO || ::close(pipe[1]) != 0)
            throw std::runtime_error("no input of ours");
        if (run_shell("cat; echo end").output != "end\n")
            throw std::runtime_error("it has an input");
    }));
}

TEST_CASE("the first part of a very long output is kept, and the command finishes") {
    const Outcome outcome =
        run_shell("printf begin; head -c 1000000 /dev/zero | tr '\\0' x; exit 4");
    CHECK(outcome.status == 4);
    CHECK(outcome.output.size() == max_output);
    CHECK(outcome.output == "begin" + std::string(max_output - 5, 'x'));
    const std::string exactly = "head -c " + std::to_string(max_output) + " /dev/zero";
    CHECK(run_shell(exactly).output == std::string(max_output, '\0'));
}

TEST_CASE("a command is stopped at its time limit") {
    const Outcome outcome = run_briefly(shell("echo begun; exec sleep 60"));
    CHECK(outcome.status == 128 + SIGTERM);
    CHECK(outcome.output == "begun\n");
}

TEST_CASE("a command that closes its output and keeps running is stopped at its time limit") {
    const Outcome outcome = run_briefly(shell("echo begun; exec >&- 2>&-; exec sleep 60"));
    CHECK(outcome.status == 128 + SIGTERM);
    CHECK(outcome.output == "begun\n");
}

TEST_CASE("a command that closes its output early is still waited for") {
    CHECK(run_shell("exec >&- 2>&-; sleep 0.3; exit 5").status == 5);
}

TEST_CASE("a command that prints endlessly is stopped at its time limit") {
    Command command;
    command.arguments = {program("flood")};
    const Outcome outcome = run_briefly(command);
    CHECK(outcome.output == std::string(max_output, 'x'));
}

TEST_CASE("a command may take some time to stop") {
    const Outcome outcome = run_briefly(
        shell("trap 'echo asked; exit 7' TERM; echo begun; while :; do sleep 0.1; done"));
    CHECK(outcome.status == 7);
    CHECK(outcome.output == "begun\nasked\n");
}

TEST_CASE("output that is still unread when a command ends is returned") {
    // Whether command or reader is faster differs from turn to turn.
    std::size_t lost = 0;
    for (int turn = 0; turn < 100; ++turn)
        lost += run_shell("printf begin; printf end").output == "beginend" ? 0 : 1;
    CHECK(lost == 0);
}

TEST_CASE("a command inherits the environment and adds its own variables") {
    Command command = shell("echo \"$HARNESS_TEST and $PATH\"");
    command.environment = {{"HARNESS_TEST", "a value = 'b'"}, {"HARNESS_OTHER", ""}};
    const char* path = std::getenv("PATH");
    REQUIRE(path != nullptr);
    CHECK(run(command).output == "a value = 'b' and " + std::string(path) + "\n");
    CHECK(std::getenv("HARNESS_TEST") == nullptr);
}

TEST_CASE("a command's variable replaces an inherited one") {
    ::setenv("GRADE_COMMAND_TEST", "ours", 1); // NOLINT(concurrency-mt-unsafe): no threads
    Command command = shell("env | grep GRADE_COMMAND_TEST");
    command.environment = {{"GRADE_COMMAND_TEST", "its own"}};
    CHECK(run(command).output == "GRADE_COMMAND_TEST=its own\n");
    ::unsetenv("GRADE_COMMAND_TEST"); // NOLINT(concurrency-mt-unsafe): likewise
}

TEST_CASE("a command that ignores the request to stop is killed") {
    const Outcome outcome =
        run_briefly(shell("trap '' TERM; echo begin; while :; do sleep 1; done"));
    CHECK(outcome.status == 128 + SIGKILL);
}

TEST_CASE("processes that a command leaves behind are killed without waiting for them") {
    const Outcome outcome = run_shell("sleep 1000 & echo $!");
    CHECK(outcome.succeeded());
    const std::string process = "/proc/" + outcome.output.substr(0, outcome.output.find('\n'));
    // It is killed at once, but its new parent might take a moment to reap it.
    const auto start = std::chrono::steady_clock::now();
    const auto is_there = [&] {
        std::error_code gone;
        return !std::filesystem::read_symlink(process + "/exe", gone).empty();
    };
    while (is_there() && std::chrono::steady_clock::now() - start < std::chrono::seconds(10)) {
    }
    CHECK_FALSE(is_there());
}

TEST_CASE("a command runs in its folder") {
    const helpers::TemporaryFolder folder;
    folder.write("file", "lies there");
    Command command = shell("cat file");
    command.directory = folder.path("");
    CHECK(run(command).output == "lies there");
}

TEST_CASE("a missing program or folder gives a status of 127") {
    Command command;
    command.arguments = {"/nowhere/program"};
    const Outcome outcome = run(command);
    CHECK(outcome.status == 127);
    CHECK(outcome.output.empty());
    CHECK(outcome.ended.empty());
    const helpers::TemporaryFolder folder;
    command.arguments = {folder.write("file", "no program")};
    CHECK(run(command).status == 127);
    command = shell("exit 0");
    command.directory = "/nowhere";
    CHECK(run(command).status == 127);
}

TEST_CASE("a command leaves nothing behind: no process, no zombie, no open file") {
    const auto open_files = [] {
        const std::filesystem::directory_iterator entries("/proc/self/fd");
        return std::distance(begin(entries), end(entries));
    };
    // In a process that has no other children.
    CHECK(helpers::survives([&] {
        const auto before = open_files();
        run_shell("exit 0");
        run_shell("kill -KILL $$");
        run_briefly(shell("echo begun; exec sleep 60"));
        Command command;
        command.arguments = {"/nowhere/program"};
        run(command);
        const bool childless = ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
        if (!childless || open_files() != before)
            throw std::runtime_error("something is left");
    }));
}

TEST_CASE("a command has its own process group, so Ctrl-C does not reach it") {
    std::istringstream output(run_shell("echo $$; cut -d ' ' -f 5 /proc/$$/stat").output);
    pid_t process = 0;
    pid_t group = -1;
    output >> process >> group;
    CHECK(group == process);
}

TEST_CASE("a command ends with its parent") {
    const helpers::TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const wire::UniqueFd reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    const pid_t runner = ::fork();
    REQUIRE(runner >= 0);
    if (runner == 0) {
        run(shell("exec > " + pipe + "; echo begun; exec sleep 60"));
        ::_exit(0);
    }
    constexpr int half_a_minute = 30'000;
    pollfd waiting{reader.get(), POLLIN, 0};
    CHECK(::poll(&waiting, 1, half_a_minute) == 1);
    std::array<char, 16> text{};
    CHECK(::read(reader.get(), text.data(), text.size()) == 6);
    ::kill(runner, SIGKILL);
    ::waitpid(runner, nullptr, 0);
    CHECK(::poll(&waiting, 1, half_a_minute) == 1); // no process holds the other end any more
    CHECK((waiting.revents & POLLHUP) != 0);
}
