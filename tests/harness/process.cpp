#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

using wire::PipeEnds;
using wire::Program;

namespace {

/// A shell that runs `script`.
Program shell(const std::string& script) { return {{"/bin/sh", "-c", script}}; }

std::string read_all(const wire::UniqueFd& fd) {
    std::string text;
    std::array<char, 256> buffer{};
    for (ssize_t count = 0; (count = ::read(fd.get(), buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    return text;
}

/// What `program` prints.
std::string output_of(Program program) {
    PipeEnds output = wire::create_pipe();
    program.descriptors = {wire::null_device, output.writer.get()};
    const pid_t child = wire::start(program);
    output.writer.reset();
    std::string text = read_all(output.reader);
    wire::wait_for(child);
    return text;
}

} // namespace

TEST_CASE("a started program ends with its own status") {
    const int status = wire::wait_for(wire::start(shell("exit 3")));
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("a program that cannot be executed ends with status 127") {
    Program absent{{"/no/such/program"}};
    CHECK(WEXITSTATUS(wire::wait_for(wire::start(absent))) == wire::cannot_execute);
    Program nowhere = shell("exit 0");
    nowhere.directory = "/no/such/folder";
    CHECK(WEXITSTATUS(wire::wait_for(wire::start(nowhere))) == wire::cannot_execute);
    Program closed = shell("exit 0");
    closed.descriptors = {wire::null_device, 1000};
    CHECK(WEXITSTATUS(wire::wait_for(wire::start(closed))) == wire::cannot_execute);
}

TEST_CASE("a program's descriptors get their numbers even if these cross") {
    PipeEnds one = wire::create_pipe();
    PipeEnds other = wire::create_pipe();
    const int a = one.writer.get();
    const int b = other.writer.get();
    const std::string folder = "/proc/self/fd/";
    Program program = shell("echo as " + std::to_string(a) + " > " + folder + std::to_string(a) +
                            "; echo as " + std::to_string(b) + " > " + folder + std::to_string(b));
    program.descriptors.assign(static_cast<std::size_t>(std::max(a, b)) + 1, wire::null_device);
    program.descriptors[static_cast<std::size_t>(a)] = b;
    program.descriptors[static_cast<std::size_t>(b)] = a;
    CHECK(wire::wait_for(wire::start(program)) == 0);
    one.writer.reset();
    other.writer.reset();
    CHECK(read_all(one.reader) == "as " + std::to_string(b) + "\n");
    CHECK(read_all(other.reader) == "as " + std::to_string(a) + "\n");
}

TEST_CASE("a program gets our variables, or exactly its own") {
    ::setenv("OURS", "inherited", 1);
    CHECK(output_of(shell("echo $OURS")) == "inherited\n");
    Program other = shell("echo $OURS$OWN");
    other.environment = std::vector<std::string>{"OWN=given"};
    CHECK(output_of(other) == "given\n");
    ::unsetenv("OURS");
}

TEST_CASE("a program starts in its directory and with no signal blocked") {
    Program program = shell("pwd; grep SigBlk /proc/self/status");
    program.directory = "/usr";
    sigset_t some;
    ::sigemptyset(&some);
    ::sigaddset(&some, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &some, nullptr);
    CHECK(output_of(program) == "/usr\nSigBlk:\t0000000000000000\n");
    ::pthread_sigmask(SIG_UNBLOCK, &some, nullptr);
}

TEST_CASE("a program leads a process group only if it is asked to") {
    Program program = shell("echo $$; cut -d ' ' -f 5 /proc/$$/stat");
    const auto leads = [](const std::string& text) {
        const std::size_t end = text.find('\n');
        return text.substr(0, end) == text.substr(end + 1, text.size() - end - 2);
    };
    CHECK_FALSE(leads(output_of(program)));
    program.own_group = true;
    CHECK(leads(output_of(program)));
}

TEST_CASE("a program gets its runner_end signal when its parent ends") {
    PipeEnds output = wire::create_pipe();
    Program program = shell("echo begun; exec sleep 60");
    program.descriptors = {wire::null_device, output.writer.get()};
    program.death_signal = SIGKILL;
    const pid_t parent = ::fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        wire::start(program);
        ::pause();
    }
    output.writer.reset();
    std::array<char, 6> begun{};
    CHECK(::read(output.reader.get(), begun.data(), begun.size()) == 6);
    ::kill(parent, SIGKILL);
    wire::wait_for(parent);
    CHECK(read_all(output.reader).empty()); // its end: the program no longer holds the other one
}

TEST_CASE("an ended child can still be waited for") {
    const pid_t child = wire::start(shell("exit 5"));
    siginfo_t info{};
    CHECK(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
    CHECK(wire::has_ended(child));
    CHECK(WEXITSTATUS(wire::wait_for(child)) == 5);
    Program endless = shell("exec sleep 60");
    const pid_t running = wire::start(endless);
    CHECK_FALSE(wire::has_ended(running));
    ::kill(running, SIGKILL);
    wire::wait_for(running);
}
