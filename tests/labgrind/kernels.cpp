#include "../corpora.hpp"
#include "kernel_case.hpp"
#include "labgrind/interpreter.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <iostream>
#include <map>
#include <set>

namespace {

/// The kernels of `kind` that this run tries.
std::vector<std::string> kernels_of(const std::string& kind, std::size_t count) {
    const std::string folder = "tests/labgrind/" + kind;
    const std::map<std::string, std::size_t> least{
        {"right", 431}, {"wrong", 406}, {"order", 4}, {"work", 44}};
    std::vector<std::string> paths;
    for (const std::string& name : corpora::share({folder, ".cl", least.at(kind)}, count))
        paths.push_back(std::string(folder).append("/").append(name).append(".cl"));
    return paths;
}

std::string text_of(const wire::Analysis& analysis) {
    std::string text = analysis.failure;
    for (const wire::Finding& finding : analysis.findings)
        text += wire::to_string(finding.kind) + " " + std::to_string(finding.line) + ": " +
                text_of(finding) + "\n";
    return text;
}

/// Runs a kernel, and prints its findings if the user has named kernels.
wire::Analysis analyse(KernelCase& one, std::uint64_t seed = 0,
                       const wire::Schedule& schedule = {}) {
    labgrind::Interpreter interpreter;
    std::vector<std::byte> memory = one.memory;
    wire::Analysis analysis =
        interpreter.run({.program = one.program,
                         .launch = one.launch,
                         .how = {.seed = seed, .schedule = schedule, .explains_schedule = true}},
                        memory);
    if (corpora::are_named())
        std::cout << (analysis.findings.empty() ? "nothing found\n" : "") << text_of(analysis);
    return analysis;
}

/// Tests every second right kernel from number `first` on: both halves can run at the same time.
void check_right(std::size_t first) {
    const auto paths = kernels_of("right", 120);
    for (std::size_t i = first; i < paths.size(); i += 2) {
        CAPTURE(paths[i]);
        KernelCase one = KernelCase::read(paths[i]);
        const wire::Analysis analysis = analyse(one);
        INFO(text_of(analysis));
        CHECK(one.expected.empty());
        CHECK(analysis.failure.empty());
        CHECK(analysis.findings.empty());
    }
}

} // namespace

TEST_CASE("a header that does not exist is an error") {
    CHECK_THROWS_WITH(KernelCase("a.cl", "// run: k 1/1\n// expects: nothing\n"),
                      "a.cl:2: there is no header \"expects\"; kernel_case.hpp lists all");
    CHECK_NOTHROW(KernelCase("a.cl", "// run: k 1/1\n// In two steps: first, a sum.\n"));
}

TEST_CASE("kernels that are right have no findings: one half") { check_right(0); }

TEST_CASE("kernels that are right have no findings: the other half") { check_right(1); }

TEST_CASE("every mistake is found at its line and with its kind") {
    for (const std::string& path : kernels_of("wrong", 100)) {
        CAPTURE(path);
        KernelCase one = KernelCase::read(path);
        const wire::Analysis analysis = analyse(one);
        INFO(text_of(analysis));
        CHECK(analysis.failure.empty());
        CHECK_FALSE(one.expected.empty());
        std::set<KernelCase::Finding> found;
        for (const wire::Finding& finding : analysis.findings)
            found.emplace(wire::to_string(finding.kind), finding.line);
        for (const KernelCase::Finding& finding : one.expected)
            CHECK_MESSAGE(found.count(finding) == 1,
                          "missing: " << finding.first << " at line " << finding.second);
        for (const std::string& words : one.said)
            CHECK_MESSAGE(text_of(analysis).find(words) != std::string::npos,
                          "must say: " << words);
        for (const std::string& words : one.never_said)
            CHECK_MESSAGE(text_of(analysis).find(words) == std::string::npos,
                          "must not say: " << words);
        for (const KernelCase::Finding& finding : found)
            CHECK_MESSAGE(std::ranges::count(one.expected, finding) == 1,
                          "not expected: " << finding.first << " at line " << finding.second);
    }
}

TEST_CASE("what depends on the order of work-items is found in another schedule") {
    constexpr std::uint64_t seed = 1;
    for (const std::string& path : kernels_of("order", 100)) {
        CAPTURE(path);
        KernelCase one = KernelCase::read(path);
        const wire::Analysis analysis = analyse(one, seed);
        INFO(text_of(analysis));
        CHECK(analysis.failure.empty());
        CHECK(analysis.other_schedules.empty() == one.expected.empty());
        if (analysis.other_schedules.empty())
            continue;
        const wire::Analysis other = analyse(one, seed, analysis.other_schedules.front());
        INFO(text_of(other));
        std::vector<KernelCase::Finding> found;
        for (const wire::Finding& finding : other.findings)
            found.emplace_back(wire::to_string(finding.kind), finding.line);
        CHECK(found == one.expected);
    }
}

TEST_CASE("all loads and additions of data are counted") {
    const std::map<std::string, std::uint64_t wire::WorkCounts::*> members{
        {"additions", &wire::WorkCounts::additions},
        {"lone-additions", &wire::WorkCounts::lone_additions},
        {"item-bytes", &wire::WorkCounts::busiest_item_bytes},
        {"span", &wire::WorkCounts::longest_span},
        {"comparisons", &wire::WorkCounts::comparisons},
        {"global-loads", &wire::WorkCounts::global_loads},
        {"global-bytes", &wire::WorkCounts::global_bytes_loaded},
        {"global-bytes-changed", &wire::WorkCounts::global_bytes_changed}};
    for (const std::string& path : kernels_of("work", 100)) {
        CAPTURE(path);
        KernelCase one = KernelCase::read(path);
        const wire::Analysis analysis = analyse(one);
        INFO(text_of(analysis));
        CHECK(analysis.failure.empty());
        CHECK_FALSE(one.counts.empty());
        for (const auto& counted : one.counts) {
            CAPTURE(counted.first);
            CHECK(analysis.work.*members.at(counted.first) == counted.second);
        }
    }
}

TEST_CASE("a report is the same every time") {
    for (const std::string& path : kernels_of("wrong", 25)) {
        CAPTURE(path);
        KernelCase first = KernelCase::read(path);
        KernelCase second = KernelCase::read(path);
        CHECK(wire::encode(wire::Reply{analyse(first)}) ==
              wire::encode(wire::Reply{analyse(second)}));
    }
}
