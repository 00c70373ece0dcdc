#include "grader/runner_process.hpp"
#include "helpers.hpp"
#include "sandbox/processes.hpp"
#include "sandbox/sandbox.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <optional>
#include <thread>
#include <unistd.h>

using grader::RunnerEnd;
using grader::RunnerProcess;
using sandbox::Protection;
using sandbox::Sandbox;

namespace {

std::optional<Sandbox> sandbox_of(Protection protection) {
    const auto tests = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    try {
        return Sandbox::choose((tests.parent_path() / "sandbox/confine").string(), protection);
    } catch (const std::exception&) {
        return std::nullopt; // the sandbox tests print why
    }
}

/// Waits until a child of this process has ended, but at most a minute.
bool sees_the_end() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < deadline) {
        const std::vector<pid_t> children = sandbox::children(::getpid());
        if (std::ranges::any_of(children, wire::has_ended))
            return true;
        std::this_thread::yield();
    }
    return false;
}

} // namespace

TEST_CASE("a runner is monitored while the grader handles its request") {
    for (const Protection protection :
         {Protection::bubblewrap, Protection::user, Protection::none}) {
        const std::optional<Sandbox> box = sandbox_of(protection);
        if (!box)
            continue;
        CAPTURE(box->describe());
        sandbox::Cell cell;
        const helpers::TemporaryFolder folder;
        std::filesystem::permissions(folder.path(""), std::filesystem::perms(0755));
        std::filesystem::copy_file(helpers::program("hoard"), folder.path("hoard"));
        cell.readable = {folder.path("")};
        cell.limits.memory_bytes = std::size_t{128} << 20;
        RunnerProcess process({box->command(cell, {folder.path("hoard")}), cell});
        bool seen = false;
        grader::RunnerCallbacks callbacks;
        callbacks.carry_out = [&](const auto&, const auto&) {
            seen = sees_the_end();
            return wire::LaunchDone{};
        };
        const grader::Answer answer =
            process.ask(wire::ListDevices{}, {}, grader::Budget{60, 60, 120}, callbacks);
        CHECK(seen);
        REQUIRE(std::holds_alternative<RunnerEnd>(answer));
        REQUIRE(std::get<RunnerEnd>(answer).how == RunnerEnd::How::excess);
        CHECK(helpers::has(sandbox::describe(*std::get<RunnerEnd>(answer).excess),
                           "of memory; the limit is 128 MiB"));
    }
}
