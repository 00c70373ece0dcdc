#include "labgrind/interpreter.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <string>

namespace {

using Kind = wire::TracedAccess::Kind;

/// One group of four work-items: 8 floats 1, 2, ..., 4 floats of results, 4 floats of local memory.
wire::Trace trace_of(const std::string& body, std::size_t groups = 1) {
    wire::ProgramSource program;
    program.source = "float twice(float a) { return a + a; }\n"
                     "__kernel void k(__global float* data, __global float* results,\n"
                     "                __local float* temp) {\n"
                     "    const int lid = get_local_id(0);\n" +
                     body + "}\n";
    wire::KernelLaunch launch;
    launch.kernel = "k";
    launch.global_size = {4 * groups, 1, 1};
    launch.work_group_size = {4, 1, 1};
    launch.arguments = {{wire::LaunchArgument::Kind::buffer, {0, 32}},
                        {wire::LaunchArgument::Kind::buffer, {64, 16}},
                        {wire::LaunchArgument::Kind::local, {0, 16}}};
    launch.memory_size = 128;
    std::vector<std::byte> memory(launch.memory_size);
    for (int i = 0; i < 8; ++i) {
        const auto value = static_cast<float>(i + 1);
        std::memcpy(memory.data() + sizeof value * static_cast<std::size_t>(i), &value,
                    sizeof value);
    }
    labgrind::Interpreter interpreter;
    const wire::Analysis analysis =
        interpreter.run({.program = program, .launch = launch, .how = {.traced = true}}, memory);
    CHECK(analysis.failure == "");
    return analysis.trace;
}

/// The accesses of a kind to the array `name`.
std::vector<wire::TracedAccess> accesses(const wire::Trace& trace, Kind kind,
                                         const std::string& name) {
    std::vector<wire::TracedAccess> found;
    std::copy_if(trace.accesses.begin(), trace.accesses.end(), std::back_inserter(found),
                 [&](const wire::TracedAccess& one) {
                     return one.kind == kind && trace.arrays[one.element.array].name == name;
                 });
    return found;
}

float as_float(std::uint64_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// "data[1] data[5]": what a stored value is made of.
std::string sources(const wire::Trace& trace, const wire::TracedAccess& store) {
    std::string text;
    for (const wire::TracedElement& from : store.from)
        text += (text.empty() ? "" : " ") + trace.arrays[from.array].name + "[" +
                std::to_string(from.index) + "]";
    return text;
}

} // namespace

TEST_CASE("trace: stored values are followed through variables, functions and choices") {
    const wire::Trace trace = trace_of("    float a = data[lid + 4];\n"
                                       "    const float b = twice(data[lid]);\n"
                                       "    a = lid < 2 ? a + b : b;\n"
                                       "    results[lid] = a;\n");
    const auto stores = accesses(trace, Kind::store, "results");
    REQUIRE(stores.size() == 4);
    CHECK(sources(trace, stores[1]) == "data[1] data[5]");
    CHECK(sources(trace, stores[3]) == "data[3]");
    CHECK(as_float(stores[1].value.at(0)) == 10);
    CHECK(stores[1].line == 8);
    CHECK(stores[1].name == "results[1]");
}

TEST_CASE("trace: an index is not part of a value") {
    const wire::Trace trace = trace_of("    results[lid] = data[(int)data[lid]];\n");
    const auto stores = accesses(trace, Kind::store, "results");
    REQUIRE(stores.size() == 4);
    CHECK(sources(trace, stores[2]) == "data[3]");
}

TEST_CASE("trace: barriers separate phases and order accesses") {
    const std::string copy = "    temp[lid] = data[lid];\n";
    const std::string use = "    results[lid] = temp[3 - lid];\n";
    const wire::Trace right = trace_of(copy + "    barrier(CLK_LOCAL_MEM_FENCE);\n" + use);
    REQUIRE(right.barriers.size() == 1);
    CHECK(right.barriers[0].line == 6);
    CHECK(right.barriers[0].missing.empty());
    for (const wire::TracedAccess& one : right.accesses)
        CHECK(one.race == -1);
    CHECK(accesses(right, Kind::store, "results").front().phase == 1);

    const wire::Trace wrong = trace_of(copy + "    barrier(CLK_GLOBAL_MEM_FENCE);\n" + use);
    const auto loads = accesses(wrong, Kind::load, "temp");
    REQUIRE(loads.size() == 4);
    REQUIRE(loads[0].race >= 0);
    const wire::TracedAccess& other = wrong.accesses[static_cast<std::size_t>(loads[0].race)];
    CHECK(other.kind == Kind::store);
    CHECK(other.item == 3);
    CHECK(other.element == loads[0].element);
}

TEST_CASE("trace: a barrier knows the work-items that do not reach it") {
    const wire::Trace trace = trace_of("    if (get_global_id(0) < 6) {\n"
                                       "        temp[lid] = data[lid];\n"
                                       "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                                       "    }\n"
                                       "    results[lid] = 0.0f;\n",
                                       2);
    REQUIRE(trace.barriers.size() == 2);
    CHECK(trace.barriers[0].group == 0);
    CHECK(trace.barriers[0].missing.empty());
    CHECK(trace.barriers[1].group == 1);
    CHECK(trace.barriers[1].phase == 0);
    CHECK(trace.barriers[1].line == 7);
    CHECK(trace.barriers[1].missing == std::vector<std::size_t>{2, 3});
}

TEST_CASE("trace: groups race in global memory, whatever their barriers") {
    const wire::Trace trace =
        trace_of("    if (lid == 0) results[0] = 1;\n    barrier(CLK_GLOBAL_MEM_FENCE);\n", 2);
    const auto stores = accesses(trace, Kind::store, "results");
    REQUIRE(stores.size() == 2);
    CHECK(stores[0].race == -1);
    CHECK(stores[1].race >= 0);
}

TEST_CASE("trace: accesses outside and to uninitialized memory are marked") {
    const wire::Trace trace = trace_of("    if (lid == 1)\n"
                                       "        results[lid - 2] = temp[2];\n"
                                       "    if (lid == 2)\n"
                                       "        results[0] = data[8];\n");
    const auto stores = accesses(trace, Kind::store, "results");
    REQUIRE(stores.size() == 2);
    CHECK(stores[0].outside);
    CHECK(stores[0].element.index == -1);
    CHECK_FALSE(stores[1].outside);
    const auto temps = accesses(trace, Kind::load, "temp");
    REQUIRE(temps.size() == 1);
    CHECK(temps[0].uninitialized);
    const auto loads = accesses(trace, Kind::load, "data");
    REQUIRE(loads.size() == 1);
    CHECK(loads[0].outside);
    CHECK(loads[0].value.empty());
}

TEST_CASE("trace: vectors are elements of their arrays, and the last may lack lanes") {
    const wire::Trace trace = trace_of("    __global float4* fours = (__global float4*)data;\n"
                                       "    if (lid == 0) vstore4(fours[1], 0, results);\n");
    const auto loads = accesses(trace, Kind::load, "data");
    CHECK(loads.size() == 4); // `data` is declared as an array of floats
    const auto stores = accesses(trace, Kind::store, "results");
    REQUIRE(stores.size() == 4);
    CHECK(as_float(stores[3].value.at(0)) == 8);
    CHECK(stores[0].from.size() == 4);
}

TEST_CASE("trace: atomic operations have a name and both values") {
    const wire::Trace trace =
        trace_of("    atomic_add((volatile __global int*)&results[0], lid + 1);\n");
    const auto changes = accesses(trace, Kind::atomic, "results");
    REQUIRE(changes.size() == 4);
    CHECK(changes[1].operation == "atomic_add");
    CHECK(changes[1].before.at(0) == 1);
    CHECK(changes[1].value.at(0) == 3);
}

TEST_CASE("trace: a work-item that waits is recorded once, and an endless one ends") {
    const wire::Trace trace =
        trace_of("    while (atomic_cmpxchg((volatile __global int*)&results[0], 1, 2) != 1) {}\n");
    CHECK(trace.cut_short);
    REQUIRE(trace.accesses.size() == 1);
    CHECK(trace.accesses[0].times > 1000);
}

TEST_CASE("trace: asynchronous copies belong to their elements") {
    const wire::Trace trace =
        trace_of("    event_t copied = async_work_group_copy(temp, data + 2, 4, 0);\n"
                 "    wait_group_events(1, &copied);\n"
                 "    results[lid] = temp[lid];\n");
    const auto stores = accesses(trace, Kind::store, "temp");
    REQUIRE(stores.size() == 4);
    CHECK(sources(trace, stores[1]) == "data[3]");
    CHECK(as_float(stores[1].value.at(0)) == 4);
}
