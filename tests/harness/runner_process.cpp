#include "grader/runner_process.hpp"
#include "grader/session.hpp"
#include "helpers.hpp"

#include <cctype>
#include <chrono>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <future>
#include <system_error>
#include <thread>

using grader::Answer;
using grader::Budget;
using grader::RunnerEnd;
using grader::RunnerProcess;
using helpers::has;
using helpers::program;
using helpers::times;

namespace {

constexpr Budget ample{20, 20, 40};
constexpr Budget small{0.3, 20, 20};
constexpr Budget small_idle{20, 0.3, 20};
constexpr Budget small_wall{20, 20, 0.3};

/// The processes that run the program `name`.
std::vector<pid_t> processes(const std::string& name) {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string pid = entry.path().filename();
        if (std::isdigit(static_cast<unsigned char>(pid.front())) == 0)
            continue;
        std::error_code gone;
        if (std::filesystem::read_symlink(entry.path() / "exe", gone) == program(name))
            found.push_back(std::stoi(pid));
    }
    return found;
}

/// Whether all of `name`'s processes have ended. Killed processes can take a moment to end, but not
/// ten seconds.
bool all_gone(const std::string& name) {
    const auto start = std::chrono::steady_clock::now();
    while (!processes(name).empty()) {
        if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10))
            return false;
        std::this_thread::yield();
    }
    return true;
}

Answer ask(RunnerProcess& runner, const wire::Request& request, const Budget& budget = ample) {
    return runner.ask(request, {}, budget);
}

wire::Request call_of(const std::string& function) {
    wire::CallFunction call;
    call.function = function;
    return call;
}

/// The reply of the program "answer" to a call.
wire::CallReply reply_to(RunnerProcess& runner, const std::string& function,
                         const std::vector<const wire::UniqueFd*>& fds = {}) {
    const Answer answer = runner.ask(call_of(function), fds, ample);
    REQUIRE(std::holds_alternative<wire::Reply>(answer));
    const auto& reply = std::get<wire::Reply>(answer);
    REQUIRE(std::holds_alternative<wire::CallReply>(reply));
    return std::get<wire::CallReply>(reply);
}

/// How the program `name` dies because of a request. Checks that none of its processes is left.
RunnerEnd end_of_runner(const std::string& name, const Budget& budget = ample) {
    RunnerEnd runner_end;
    {
        RunnerProcess runner(program(name));
        const Answer answer = ask(runner, wire::ListDevices{}, budget);
        REQUIRE(std::holds_alternative<RunnerEnd>(answer));
        runner_end = std::get<RunnerEnd>(answer);
        CHECK(all_gone(name));
    }
    CHECK(processes(name).empty());
    return runner_end;
}

} // namespace

TEST_CASE("the budget grows with the input, and on a GPU that others may use") {
    wire::DeviceInfo device;
    device.type = wire::DeviceType::cpu;
    const Budget cpu = grader::budget_for(4'000'000, device);
    CHECK(cpu.cpu_seconds == doctest::Approx(12));
    CHECK(cpu.idle_seconds == doctest::Approx(12));
    CHECK(cpu.wall_seconds > 60);
    device.type = wire::DeviceType::gpu;
    const Budget gpu = grader::budget_for(4'000'000, device);
    CHECK(gpu.cpu_seconds == doctest::Approx(48));
    CHECK(gpu.idle_seconds == doctest::Approx(48));
    CHECK(gpu.wall_seconds == cpu.wall_seconds);
}

TEST_CASE("a missing runner cannot be started") {
    CHECK_THROWS_AS(RunnerProcess("/nowhere/runner"), std::system_error);
    const helpers::TemporaryFolder folder;
    const std::string file = folder.write("runner", "no program");
    CHECK_THROWS_AS(RunnerProcess{file}, std::system_error);
    CHECK(has(helpers::what_of<std::system_error>([&] { RunnerProcess runner(file); }), file));
}

TEST_CASE("a file that is not a program ends with exit status 127") {
    const helpers::TemporaryFolder folder;
    const std::string file = folder.write("runner", "\x7F no program");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    RunnerProcess runner(file);
    const Answer answer = ask(runner, wire::ListDevices{});
    REQUIRE(std::holds_alternative<RunnerEnd>(answer));
    CHECK(std::get<RunnerEnd>(answer).how == RunnerEnd::How::exit);
    CHECK(std::get<RunnerEnd>(answer).code == 127);
}

TEST_CASE("a runner answers repeatedly and ends with its object") {
    {
        RunnerProcess runner(program("answer"));
        const auto first = reply_to(runner, "one");
        CHECK(first.outcome == wire::Outcome::returned);
        CHECK(first.message == "one");
        const auto second = reply_to(runner, "two");
        CHECK(second.message == "two");
        CHECK(second.line == first.line); // the same process
        CHECK(processes("answer") == std::vector<pid_t>{first.line});
        CHECK(runner.take_output().empty());
    }
    CHECK(processes("answer").empty());
}

TEST_CASE("a request can be sent before its answer is waited for") {
    RunnerProcess first(program("answer"));
    RunnerProcess second(program("answer"));
    first.send(call_of("one"), {}, ample);
    CHECK(reply_to(second, "two").message == "two");
    const Answer answer = first.wait(ample);
    REQUIRE(std::holds_alternative<wire::Reply>(answer));
    CHECK(std::get<wire::CallReply>(std::get<wire::Reply>(answer)).message == "one");
}

TEST_CASE("the answer to a request says how a runner ended that may not have got it") {
    const helpers::TemporaryFolder folder;
    const std::string file = folder.write("runner", "#!/bin/sh\nexit 3\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    RunnerProcess runner(file);
    runner.send(wire::ListDevices{}, {}, ample);
    const Answer answer = runner.wait(ample);
    REQUIRE(std::holds_alternative<RunnerEnd>(answer));
    CHECK(std::get<RunnerEnd>(answer).how == RunnerEnd::How::exit);
    CHECK(std::get<RunnerEnd>(answer).code == 3);
}

TEST_CASE("a runner gets the memory of a request") {
    RunnerProcess runner(program("answer"));
    const wire::UniqueFd memory = wire::create_shared_memory("test", 7);
    REQUIRE(::pwrite(memory.get(), "content", 7, 0) == 7);
    CHECK(reply_to(runner, "memory", {&memory}).file == "content");
    CHECK(reply_to(runner, "after").file.empty());
}

TEST_CASE("a runner has no input, and its standard error counts as output") {
    RunnerProcess runner(program("answer"));
    CHECK(reply_to(runner, "input").error_code == 1);
    reply_to(runner, "errors");
    CHECK(runner.take_output() == "to stderr");
    CHECK(runner.take_output().empty());
}

TEST_CASE("a runner's output belongs to the request during which it was printed") {
    RunnerProcess runner(program("answer"));
    reply_to(runner, "print");
    CHECK(runner.take_output() == "ppppp");
    reply_to(runner, "nothing");
    CHECK(runner.take_output().empty());
    reply_to(runner, "print");
    reply_to(runner, "print");
    CHECK(runner.take_output() == "pppppppppp");
}

TEST_CASE("a flood of output is truncated") {
    RunnerProcess runner(program("answer"));
    reply_to(runner, "flood");
    const std::string output = runner.take_output();
    CHECK(output.substr(0, 1000) == std::string(1000, 'f'));
    CHECK(times(output, "f") == 65536);
    CHECK(output.size() < 65536 + 100);
    CHECK(has(output, "more bytes"));
}

TEST_CASE("a flood of output is counted to its end and does not reach the next request") {
    // Whether flood or reader is faster differs from turn to turn.
    RunnerProcess runner(program("answer"));
    std::size_t miscounted = 0;
    std::size_t leaked = 0;
    for (int turn = 0; turn < 50; ++turn) {
        reply_to(runner, "flood");
        const std::string expected = "... and " + std::to_string(300000 - 65536) + " more bytes";
        miscounted += !has(runner.take_output(), expected);
        reply_to(runner, "print");
        leaked += runner.take_output() != "ppppp";
    }
    CHECK(miscounted == 0);
    CHECK(leaked == 0);
}

TEST_CASE("a runner's exit is reported") {
    const RunnerEnd runner_end = end_of_runner("exit");
    CHECK(runner_end.how == RunnerEnd::How::exit);
    CHECK(runner_end.code == 3);
    CHECK(runner_end.kernels.empty());
    CHECK(runner_end.call.empty());
    CHECK(runner_end.frames.empty());
    CHECK(runner_end.seconds < 20);
}

TEST_CASE("a runner's exit before its first request is reported") {
    RunnerProcess runner(program("exit_at_once"));
    while (!all_gone("exit_at_once")) { // a zombie no longer has a program
    }
    const Answer answer = ask(runner, wire::ListDevices{});
    REQUIRE(std::holds_alternative<RunnerEnd>(answer));
    CHECK(std::get<RunnerEnd>(answer).how == RunnerEnd::How::exit);
    CHECK(std::get<RunnerEnd>(answer).code == 4);
    CHECK(has(runner.take_output(), "no device"));
}

TEST_CASE("a runner's crash is reported with its journal") {
    const RunnerEnd runner_end = end_of_runner("crash");
    CHECK(runner_end.how == RunnerEnd::How::signal);
    CHECK(runner_end.code == SIGSEGV);
    CHECK(runner_end.kernels == std::vector{std::string("second")});
    CHECK(runner_end.launch == 2);
    CHECK(runner_end.call == "clSetKernelArg");
    CHECK(runner_end.frames == std::vector<std::uint64_t>{0x401000, 0x402000});
    CHECK(runner_end.unwaited_read);
    CHECK(runner_end.unwaited_frames == std::vector<std::uint64_t>{0x403000});
    CHECK(runner_end.read_bytes == 64);
    CHECK(runner_end.read_frames == std::vector<std::uint64_t>{0x404000});
}

TEST_CASE("a host that waits when the runner crashes has waited for its reads") {
    const RunnerEnd runner_end = end_of_runner("crash_in_finish");
    CHECK(runner_end.call == "clFinish");
    CHECK_FALSE(runner_end.unwaited_read);
}

TEST_CASE("an invalid journal does no harm") {
    const RunnerEnd runner_end = end_of_runner("lie");
    CHECK(runner_end.how == RunnerEnd::How::signal);
    CHECK(runner_end.code == SIGABRT);
    CHECK(runner_end.kernels == std::vector{std::string(wire::Name().size(), 'A')});
    CHECK(runner_end.call == std::string(wire::Name().size(), 'A'));
    CHECK(runner_end.frames.size() == wire::frame_slots);
}

TEST_CASE("a busy runner that hangs is stopped at its CPU-time limit") {
    const RunnerEnd runner_end = end_of_runner("busy", small);
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.kernels == std::vector{std::string("endless")});
    CHECK(runner_end.launch == 1);
    CHECK(runner_end.seconds >= 0.25);
    CHECK(runner_end.seconds < 20);
}

TEST_CASE("a runner that launches more kernels than its budget allows is stopped") {
    Budget budget{300, 300, 300};
    budget.launches = 0;
    const RunnerEnd runner_end = end_of_runner("busy", budget);
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.seconds < 100);
}

TEST_CASE("a sleeping runner that hangs is stopped at its idle or wall-time limit") {
    CHECK(end_of_runner("asleep", small_wall).how == RunnerEnd::How::hang);
    const RunnerEnd runner_end = end_of_runner("asleep", small_idle);
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.kernels.empty());
    CHECK(runner_end.seconds >= 0.3);
    CHECK(runner_end.seconds < 10);
}

TEST_CASE("a runner that wakes occasionally still counts as asleep") {
    const RunnerEnd runner_end = end_of_runner("doze", {300, 0.3, 300});
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.asleep);
}

TEST_CASE("a kernel known to be endless gets little time") {
    grader::EndlessKernels endless;
    endless.add("endless");
    Budget budget{300, 300, 300};
    budget.endless = &endless;
    budget.endless_cpu_seconds = 0.2;
    const RunnerEnd runner_end = end_of_runner("busy", budget);
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.kernels == std::vector{std::string("endless")});
}

TEST_CASE("a launch that hangs is stopped at its own CPU-time limit") {
    Budget budget{300, 300, 300};
    budget.launch_cpu_seconds = 0.2;
    const RunnerEnd runner_end = end_of_runner("busy", budget);
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.kernels == std::vector{std::string("endless")});
    CHECK(runner_end.seconds < 100);
}

TEST_CASE("an unknown kernel gets all of its time, whatever others have done") {
    grader::EndlessKernels endless;
    endless.add("another");
    Budget budget = small;
    budget.endless = &endless;
    budget.endless_cpu_seconds = 0;
    const RunnerEnd runner_end = end_of_runner("busy", budget);
    CHECK(runner_end.how == RunnerEnd::How::hang);
    CHECK(runner_end.seconds >= 0.25);
}

TEST_CASE("an abandoned runner is killed") {
    std::atomic<bool> abandoned{false};
    {
        RunnerProcess runner({{program("busy")}, {}, &abandoned});
        const std::jthread soon([&] { abandoned = true; });
        CHECK_THROWS_AS(ask(runner, wire::ListDevices{}), grader::Abandoned);
    }
    CHECK(all_gone("busy"));
}

TEST_CASE("nothing more is asked of an abandoned runner, and none is started") {
    std::atomic<bool> abandoned{false};
    const grader::RunnerCommand command{{program("answer")}, {}, &abandoned};
    RunnerProcess runner(command);
    abandoned = true;
    CHECK_THROWS_AS(ask(runner, call_of("returns")), grader::Abandoned);
    CHECK_THROWS_AS(RunnerProcess{command}, grader::Abandoned);
}

TEST_CASE("a runner that floods endlessly is stopped, and its output is truncated") {
    RunnerProcess runner(program("flood"));
    const Answer answer = ask(runner, wire::ListDevices{}, small_wall);
    REQUIRE(std::holds_alternative<RunnerEnd>(answer));
    CHECK(std::get<RunnerEnd>(answer).how == RunnerEnd::How::hang);
    CHECK(std::get<RunnerEnd>(answer).seconds < 10);
    CHECK(all_gone("flood"));
    const std::string output = runner.take_output();
    CHECK(times(output, "x") == 65536);
    CHECK(has(output, "more bytes"));
    CHECK(output.size() < 65536 + 100);
}

TEST_CASE("a runner that closes the channel but keeps running is stopped") {
    const RunnerEnd runner_end = end_of_runner("close_line");
    CHECK(runner_end.seconds < 10);
    CHECK(runner_end.kernels.empty());
}

TEST_CASE("a runner that sends an invalid message is stopped") {
    CHECK(end_of_runner("garbage").seconds < 10);
    CHECK(end_of_runner("huge").seconds < 10);
}

TEST_CASE("a runner that the grader stops does not count as killed from outside") {
    // Otherwise, students would read that the machine probably ran out of memory.
    for (const char* name : {"close_line", "garbage", "huge"}) {
        CAPTURE(std::string(name));
        const RunnerEnd runner_end = end_of_runner(name);
        const bool killed = runner_end.how == RunnerEnd::How::signal && runner_end.code == SIGKILL;
        CHECK_FALSE(killed);
    }
}

TEST_CASE("a runner's exit is noticed even if a child holds the channel open") {
    const RunnerEnd runner_end = end_of_runner("orphan");
    CHECK(runner_end.how == RunnerEnd::How::exit);
    CHECK(runner_end.code == 5);
    CHECK(runner_end.seconds < 10);
}

TEST_CASE("a runner's children end with it") {
    CHECK(end_of_runner("parent", small_wall).how == RunnerEnd::How::hang);
    {
        RunnerProcess runner(program("parent"));
        while (processes("parent").size() < 2) {
        }
    }
    CHECK(all_gone("parent"));
}

TEST_CASE("a runner that does not read is stopped, however long the request is") {
    RunnerProcess runner(program("asleep"));
    wire::InspectProgram request;
    request.program.source = std::string(std::size_t{4} << 20, ' ');
    auto answer = std::async(std::launch::async, [&] { return ask(runner, request, small_wall); });
    const bool in_time = answer.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
    CHECK(in_time);
    if (!in_time) { // so that this test ends
        for (const pid_t pid : processes("asleep"))
            ::kill(pid, SIGKILL);
    }
    CHECK(std::holds_alternative<RunnerEnd>(answer.get()));
}
