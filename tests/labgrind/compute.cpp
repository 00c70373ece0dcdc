#include "labgrind/interpreter.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <vector>

namespace {

constexpr std::size_t items = std::size_t{1} << 17;

/// The results of a kernel k(const int* from, int* to) with more work-items than are ever watched.
/// `from` is the first half of the memory and holds 0, 1, 2, ...; `to` is the second half.
class Computed {
  public:
    explicit Computed(const std::string& body) {
        const wire::ProgramSource program{
            "__kernel void k(__global const int* from, __global int* to) {\n" + body + "\n}\n", ""};
        wire::KernelLaunch launch;
        launch.kernel = "k";
        launch.global_size = {items, 1, 1};
        launch.work_group_size = {256, 1, 1};
        const std::size_t bytes = items * sizeof(std::int32_t);
        launch.arguments = {{wire::LaunchArgument::Kind::buffer, {0, bytes}},
                            {wire::LaunchArgument::Kind::buffer, {bytes, bytes}}};
        launch.memory_size = 2 * bytes;
        std::vector<std::int32_t> memory(2 * items);
        for (std::size_t i = 0; i < items; ++i)
            memory[i] = static_cast<std::int32_t>(i);
        labgrind::Interpreter interpreter;
        analysis = interpreter.run(
            {.program = program, .launch = launch, .watched = false},
            {reinterpret_cast<std::byte*>(memory.data()), launch.memory_size}); // NOLINT: bytes
        results.assign(memory.begin() + items, memory.end());
    }

    wire::Analysis analysis;
    std::vector<std::int32_t> results;
};

} // namespace

TEST_CASE("a launch that is too large to analyse is still computed") {
    const Computed turned("__local int cells[256];\n"
                          "const int lid = get_local_id(0);\n"
                          "cells[lid] = from[get_global_id(0)];\n"
                          "barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "to[get_global_id(0)] = cells[255 - lid];");
    CHECK(turned.analysis.failure.empty());
    REQUIRE(turned.results.size() == items);
    bool right = true;
    for (std::size_t i = 0; i < items; ++i)
        right =
            right && turned.results[i] == static_cast<std::int32_t>(i - i % 256 + 255 - i % 256);
    CHECK(right);
}

TEST_CASE("a computed launch stops where it leaves its buffers") {
    CHECK(Computed("to[get_global_id(0)] = from[get_global_id(0) + 1];").analysis.failure ==
          "line 2 uses memory outside its buffer");
    CHECK(Computed("\nto[get_global_id(0) + 1] = 1;").analysis.failure ==
          "line 3 uses memory outside its buffer");
    CHECK(
        Computed("int a[4]; to[get_global_id(0)] = a[get_global_id(0) / 1000];").analysis.failure ==
        "line 2 uses memory outside its buffer");
}
