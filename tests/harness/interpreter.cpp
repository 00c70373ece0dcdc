#include "grader/interpreter.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("a missing interpreter is reported") {
    Interpreter interpreter("/nowhere/labgrind");
    CHECK_FALSE(interpreter.installed());
    CHECK_FALSE(launch(interpreter, "clean").error.empty());
    CHECK_FALSE(interpreter.take_observation().clean());
}
