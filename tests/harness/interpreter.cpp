#include "grader/interpreter.hpp"
#include "helpers.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

using grader::Interpreter;
using grader::Observation;
using helpers::has;

namespace {

/// Interprets a kernel of this name with programs/interpret.cpp, which plays labgrind.
wire::LaunchDone launch(Interpreter& interpreter, const std::string& kernel,
                        std::size_t work_items = 64) {
    wire::KernelLaunch request;
    request.kernel = kernel;
    request.global_size = {work_items, 1, 1};
    request.memory_size = 16;
    const wire::UniqueFd memory = wire::create_shared_memory("test", request.memory_size);
    return interpreter.run({"a source", ""}, request, memory);
}

Interpreter player() { return Interpreter(helpers::program("interpret")); }

} // namespace

TEST_CASE("observations of launches are kept until they are taken") {
    Interpreter interpreter = player();
    CHECK(interpreter.installed());
    CHECK(interpreter.take_observation().work.empty());
    interpreter.begin_trial("n = 1");
    CHECK(launch(interpreter, "clean").error.empty());
    CHECK(launch(interpreter, "race").error.empty());
    interpreter.begin_trial("n = 2");
    CHECK(launch(interpreter, "race").error.empty());
    const Observation seen = interpreter.take_observation();
    REQUIRE(seen.work.size() == 3);
    CHECK(seen.work[0].kernel == "clean");
    CHECK(seen.work[2].kernel == "race");
    REQUIRE(seen.findings.size() == 1);
    CHECK(seen.findings[0].finding.message == "two sides");
    CHECK(seen.findings[0].trial.parameters == "n = 1");
    CHECK(seen.failure.empty());
    CHECK_FALSE(seen.cut_short);
    CHECK_FALSE(seen.clean());
    CHECK(interpreter.take_observation().clean());
}

TEST_CASE("a missing or truncated report is a failure and never looks clean") {
    for (const char* const kernel : {"crash", "leave", "half", "other", "fails"}) {
        CAPTURE(kernel);
        Interpreter interpreter = player();
        CHECK(launch(interpreter, "clean").error.empty());
        CHECK_FALSE(launch(interpreter, kernel).error.empty());
        CHECK(launch(interpreter, "clean").error.empty()); // the next launch gets a new process
        const Observation seen = interpreter.take_observation();
        CHECK_FALSE(seen.failure.empty());
        CHECK_FALSE(seen.clean());
        CHECK(seen.work.size() == 2);
    }
}

TEST_CASE("an analysis that stops at a finding says so") {
    Interpreter interpreter = player();
    CHECK(launch(interpreter, "stops").error.empty());
    CHECK(interpreter.take_observation().cut_short);
}

TEST_CASE("what groups have last read is known until the next call, which the device may run") {
    Interpreter interpreter = player();
    CHECK(launch(interpreter, "reads").error.empty());
    REQUIRE(interpreter.last_reads().size() == 1);
    CHECK(interpreter.last_reads().front().value == 7);
    interpreter.begin_call();
    CHECK(interpreter.last_reads().empty());
}

TEST_CASE("launches that are too large to interpret are rejected") {
    Interpreter interpreter = player();
    CHECK(launch(interpreter, "clean", 65536).error.empty());
    CHECK(has(launch(interpreter, "clean", 65537).error, "more than 65536 work-items"));
    interpreter.conditions.most_watched_bytes = 8; // bytes, fewer than the launch has
    CHECK(launch(interpreter, "clean", 65537).error.empty());
    CHECK(has(launch(interpreter, "clean", 1 << 23).error, "more than 4194304 work-items"));
    const grader::Observation seen = interpreter.take_observation();
    CHECK_FALSE(seen.clean());
    CHECK(seen.is_oversized); // by both
}

TEST_CASE("the effect of a change is that on all launches of a trial") {
    using Effects = std::map<std::string, std::uint64_t>;
    grader::ListedChanges listed;
    const auto add_launch = [&](const std::string& kernel, std::uint64_t unchanged,
                                const Effects& effects) {
        wire::Interpret request;
        request.program.source = "a source";
        request.launch.kernel = kernel;
        wire::Analysis analysis;
        analysis.effect = unchanged;
        for (const auto& [key, effect] : effects)
            analysis.changes.push_back(
                {.key = key, .wrong = "wrong", .right = "right", .effect = effect});
        listed.add(request, analysis);
    };
    const auto effect_of = [&](const std::string& key) {
        const auto found = std::ranges::find_if(
            listed.changes, [&](const auto& one) { return one.change.key == key; });
        REQUIRE(found != listed.changes.end());
        return found->change.effect;
    };
    constexpr std::uint64_t failure = wire::effect_of_failure;
    add_launch("up", 10,
               {{"a", 11}, {"as a", 11}, {"b", 12}, {"none", 10}, {"stray", failure}, {"long", 0}});
    CHECK(effect_of("none") == listed.effect);
    CHECK(effect_of("a") == effect_of("as a"));
    CHECK(effect_of("a") != effect_of("b"));
    CHECK(effect_of("stray") == failure);
    CHECK(effect_of("long") == 0);

    add_launch("down", 20,
               {{"a", 21},
                {"none", 20},
                {"b", failure},
                {"long", 20},
                {"late", 22},
                {"as late", 22},
                {"late and stray", failure}});
    CHECK(listed.changes.size() == 9);
    CHECK(listed.changes[0].kernels == std::set<std::string>{"down", "up"});
    CHECK(effect_of("none") == listed.effect);
    CHECK(effect_of("a") != effect_of("as a")); // the second launch executes only one of them
    CHECK(effect_of("b") != failure);           // it has other inputs there
    CHECK(effect_of("late and stray") == failure);
    CHECK(effect_of("stray") == failure);
    CHECK(effect_of("long") == 0);
    CHECK(effect_of("late") == effect_of("as late"));
    CHECK(effect_of("late") != listed.effect);
}

TEST_CASE("a missing interpreter is reported") {
    Interpreter interpreter("/nowhere/labgrind");
    CHECK_FALSE(interpreter.installed());
    CHECK_FALSE(launch(interpreter, "clean").error.empty());
    CHECK_FALSE(interpreter.take_observation().clean());
}
