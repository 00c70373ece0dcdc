#include "grade/command.hpp"
#include "helpers.hpp"

#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <sstream>
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

/// Runs `command` with hardly any time; it ends soon after that.
Outcome run_briefly(Command command) {
    command.seconds = 0.3;
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome = run(command);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CHECK(seconds.count() >= 0.3);
    CHECK(seconds.count() < 20);
    CHECK(has(outcome.ended, "it took more than"));
    CHECK_FALSE(outcome.succeeded());
    return outcome;
}

} // namespace

TEST_CASE("a command's status and what it prints are told") {
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

TEST_CASE("a command that dies of a signal has 128 and the signal as its status") {
    for (const int signal : {SIGKILL, SIGSEGV, SIGTERM}) {
        CAPTURE(signal);
        const Outcome outcome = run_shell("ulimit -c 0; kill -" + std::to_string(signal) + " $$");
        CHECK(outcome.status == 128 + signal);
        CHECK(outcome.ended.empty());
    }
}

TEST_CASE("both streams of a command are told, in their order") {
    CHECK(run_shell("echo one; echo two >&2; echo three").output == "one\ntwo\nthree\n");
}

TEST_CASE("a command gets its arguments as they are") {
    Command command;
    command.arguments = {"/bin/sh", "-c", "printf '<%s>' \"$@\"", "sh", "a b", "", "$x;'\"\n"};
    CHECK(run(command).output == "<a b><><$x;'\"\n>");
}

TEST_CASE("a command has no input") { CHECK(run_shell("cat; echo end").output == "end\n"); }

TEST_CASE("of very much output the first part is kept, and the command comes to its end") {
    const Outcome outcome =
        run_shell("printf begin; head -c 1000000 /dev/zero | tr '\\0' x; exit 4");
    CHECK(outcome.status == 4);
    CHECK(outcome.output.size() == max_output);
    CHECK(outcome.output == "begin" + std::string(max_output - 5, 'x'));
    const std::string exactly = "head -c " + std::to_string(max_output) + " /dev/zero";
    CHECK(run_shell(exactly).output == std::string(max_output, '\0'));
}

TEST_CASE("a command is ended when its time is over") {
    const Outcome outcome = run_briefly(shell("echo begun; exec sleep 60"));
    CHECK(outcome.status == 128 + SIGTERM);
    CHECK(outcome.output == "begun\n");
}

TEST_CASE("a command that closes its output and goes on is ended when its time is over") {
    const Outcome outcome = run_briefly(shell("echo begun; exec >&- 2>&-; exec sleep 60"));
    CHECK(outcome.status == 128 + SIGTERM);
    CHECK(outcome.output == "begun\n");
}

TEST_CASE("a command that closes its output early is waited for") {
    const helpers::TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    // Goes on when the other opens its end, which is long after the output was closed.
    const Outcome outcome =
        run_shell("mkfifo " + pipe + "; (sleep 0.5; echo go > " + pipe +
                  ") > /dev/null 2>&1 & exec >&- 2>&-; read line < " + pipe + "; exit 5");
    CHECK(outcome.status == 5);
}

TEST_CASE("a command that prints without end is ended when its time is over") {
    Command command;
    command.arguments = {program("flood")};
    const Outcome outcome = run_briefly(command);
    CHECK(outcome.output == std::string(max_output, 'x'));
}

TEST_CASE("a command may take its time to end when it is asked to") {
    const Outcome outcome =
        run_briefly(shell("trap 'echo asked; exit 7' TERM; while :; do sleep 0.1; done"));
    CHECK(outcome.status == 7);
    CHECK(outcome.output == "asked\n");
}

TEST_CASE("what a command has left to print is told although it has ended") {
    const Outcome outcome = run_shell("head -c 60000 /dev/zero; kill -KILL $$");
    CHECK(outcome.status == 128 + SIGKILL);
    CHECK(outcome.output.size() == 60000);
}

TEST_CASE("a command has our environment and its own") {
    Command command = shell("echo \"$HARNESS_TEST and $PATH\"");
    command.environment = {{"HARNESS_TEST", "a value = 'b'"}, {"HARNESS_OTHER", ""}};
    const char* path = std::getenv("PATH");
    REQUIRE(path != nullptr);
    CHECK(run(command).output == "a value = 'b' and " + std::string(path) + "\n");
    CHECK(std::getenv("HARNESS_TEST") == nullptr);
}

TEST_CASE("a command runs in its folder") {
    const helpers::TemporaryFolder folder;
    folder.write("file", "lies there");
    Command command = shell("cat file");
    command.directory = folder.path("");
    CHECK(run(command).output == "lies there");
}

TEST_CASE("a program or folder that is not there gives a status of 127") {
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

TEST_CASE("nothing is left of a command: no zombie, no process, no open file") {
    const auto open_files = [] {
        const std::filesystem::directory_iterator entries("/proc/self/fd");
        return std::distance(begin(entries), end(entries));
    };
    const auto before = open_files();
    run_shell("exit 0");
    run_shell("kill -KILL $$");
    const Outcome outcome = run_briefly(shell("echo $$; exec sleep 60"));
    Command command;
    command.arguments = {"/nowhere/program"};
    run(command);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
    CHECK(open_files() == before);
    const pid_t ended = std::stoi(outcome.output);
    CHECK(::kill(ended, 0) == -1);
}

TEST_CASE("a command is a group of its own, which a Ctrl-C meant for us does not reach") {
    std::istringstream output(run_shell("echo $$; cut -d ' ' -f 5 /proc/$$/stat").output);
    pid_t process = 0;
    pid_t group = -1;
    output >> process >> group;
    CHECK(group == process);
}

TEST_CASE("a command ends with who runs it") {
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
    CHECK(::poll(&waiting, 1, half_a_minute) == 1); // nobody holds the other end any more
    CHECK((waiting.revents & POLLHUP) != 0);
}
