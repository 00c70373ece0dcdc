#include "labgrind/interpreter.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace {

constexpr std::size_t items = 8; ///< of one group

/// The results of a kernel k(int* to, local int* cells) in lockstep. They are -1 at the start.
std::vector<int> in_lock_step(const std::string& body) {
    const wire::ProgramSource program{
        "int add(int a, int b) {\n    return a + b;\n}\n"
        "__kernel void k(volatile __global int* to, volatile __local int* cells) {\n"
        "    const int lid = get_local_id(0);\n" +
            body + "\n}\n",
        ""};
    wire::KernelLaunch launch;
    launch.kernel = "k";
    launch.global_size = {items, 1, 1};
    launch.work_group_size = {items, 1, 1};
    std::vector<int> results(items, -1);
    launch.memory_size = items * sizeof(int);
    launch.arguments = {{wire::LaunchArgument::Kind::buffer, {0, launch.memory_size}},
                        {wire::LaunchArgument::Kind::local, {0, launch.memory_size}}};
    labgrind::Interpreter interpreter;
    const wire::Analysis analysis = interpreter.run(
        {.program = program, .launch = launch, .how = {.in_lock_step = true}},
        {reinterpret_cast<std::byte*>(results.data()), launch.memory_size}); // NOLINT: bytes
    CHECK(analysis.failure == "");
    return results;
}

const std::vector<int> sums{1, 3, 6, 10, 15, 21, 28, 36};

} // namespace

TEST_CASE("in lock step, a scan needs no barriers") {
    // Work-items below the distance skip the addition and wait for the others.
    CHECK(in_lock_step("cells[lid] = lid + 1;\n"
                       "for (int distance = 1; distance < 8; distance *= 2) {\n"
                       "    if (lid >= distance)\n"
                       "        cells[lid] = add(cells[lid], cells[lid - distance]);\n"
                       "}\n"
                       "to[lid] = cells[lid];") == sums);
}

TEST_CASE("in lock step, work-items that join later do not start early") {
    CHECK(
        in_lock_step("cells[lid] = lid + 1;\n"
                     "for (int pairs = 4, step = 1; pairs > 0; pairs /= 2, step *= 2) {\n"
                     "    if (lid < pairs)\n"
                     "        cells[step * (2 * lid + 2) - 1] += cells[step * (2 * lid + 1) - 1];\n"
                     "}\n"
                     "for (int pairs = 1, step = 4; pairs < 8; pairs *= 2, step /= 2) {\n"
                     "    if (lid == 0 && pairs == 1)\n"
                     "        cells[7] = 0;\n"
                     "    if (lid < pairs) {\n"
                     "        const int left = step * (2 * lid + 1) - 1;\n"
                     "        const int right = step * (2 * lid + 2) - 1;\n"
                     "        const int kept = cells[left];\n"
                     "        cells[left] = cells[right];\n"
                     "        cells[right] += kept;\n"
                     "    }\n"
                     "}\n"
                     "to[lid] = cells[lid] + lid + 1;") == sums);
}

TEST_CASE("in lock step, work-items meet at barriers") {
    CHECK(in_lock_step("cells[lid] = lid;\n"
                       "barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "to[lid] = cells[7 - lid];") == std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0});
}

TEST_CASE("a launch that does not end in lock step leaves its results in turn") {
    CHECK(in_lock_step("if (lid == 0)\n"
                       "    cells[0] = cells[1] = 0;\n"
                       "barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "while (atomic_cmpxchg(cells, 0, 1) != 0) {}\n"
                       "to[lid] = cells[1]++;\n"
                       "atomic_xchg(cells, 0);\n") == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
}
