/// Kernels that try to escape from the interpreter. None may crash it, take much time or memory, or
/// pass as clean.

#include "labgrind/interpreter.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

namespace {

constexpr std::size_t buffer_bytes = 256;
constexpr std::size_t guard_bytes = 64;

/// The kernel k(__global const float* d, __global float* o), run by 64 work-items on two buffers
/// between guard zones.
struct Attempt {
    explicit Attempt(const std::string& body, const std::string& before = "") {
        const wire::ProgramSource program{
            before + "\n__kernel void k(__global const float* d, __global float* o) {\n" +
                "const int i = get_global_id(0); o[i] = 0;\n" + body + "\n}\n",
            ""};
        wire::KernelLaunch launch;
        launch.kernel = "k";
        launch.global_size = {64, 1, 1};
        launch.work_group_size = {64, 1, 1};
        launch.arguments = {
            {wire::LaunchArgument::Kind::buffer, {guard_bytes, buffer_bytes}},
            {wire::LaunchArgument::Kind::buffer, {2 * guard_bytes + buffer_bytes, buffer_bytes}}};
        launch.memory_size = 3 * guard_bytes + 2 * buffer_bytes;
        std::vector<std::byte> memory(launch.memory_size, std::byte{0x55});
        const std::vector<std::byte> before_it = memory;
        labgrind::Interpreter interpreter;
        analysis =
            interpreter.run({.program = program, .launch = launch, .how = {.seed = 1}}, memory);
        const auto output = static_cast<std::ptrdiff_t>(2 * guard_bytes + buffer_bytes);
        stays_inside =
            std::equal(memory.begin(), memory.begin() + output, before_it.begin()) &&
            std::equal(memory.end() - guard_bytes, memory.end(), before_it.end() - guard_bytes);
    }

    /// The failure, or the kind of the first finding.
    std::string outcome() const {
        if (!analysis.failure.empty())
            return analysis.failure;
        return analysis.findings.empty() ? "clean"
                                         : wire::to_string(analysis.findings.front().kind);
    }

    wire::Analysis analysis;
    bool stays_inside = false;
};

struct Expected {
    std::string body;
    std::string outcome; ///< a part of it
    std::string before = {};
};

void check(const std::vector<Expected>& attempts) {
    for (const Expected& expected : attempts) {
        CAPTURE(expected.body);
        const Attempt attempt(expected.body, expected.before);
        CAPTURE(attempt.outcome());
        CHECK(attempt.outcome().find(expected.outcome) != std::string::npos);
        CHECK(attempt.stays_inside);
    }
}

} // namespace

TEST_CASE("hostile: addresses that the kernel makes up") {
    check({{"*(__global float*)0x7fffdeadbeefUL = 1;", "out-of-bounds"},
           {"*(__global float*)((ulong)o + (1UL << 47)) = 1;", "out-of-bounds"},
           {"*(__global float*)((ulong)o + (1UL << 48)) = 1;", "out-of-bounds"},
           {"*(__local float*)(5UL << 48) = 1;", "out-of-bounds"},
           {"*(__private float*)(9UL << 48) = 1;", "out-of-bounds"},
           {"float x = 1; *(__local float*)(ulong)&x = 2;", "out-of-bounds"},
           {"o[i] = d[0x3fffffffffffffffL];", "out-of-bounds"},
           {"o[i + 0x3fffffffffffffffUL] = 1;", "out-of-bounds"},
           {"*(__global float*)0 = 1;", "out-of-bounds"}});
}

TEST_CASE("hostile: built-in functions with out-of-bounds arguments") {
    check(
        {{"vstore16((float16)(1), -5, o);", "out-of-bounds"},
         {"o[i] = vload16(1000000000000UL, d).s0;", "out-of-bounds"},
         {"atomic_add((volatile __global int*)o + 100000000, 1);", "out-of-bounds"},
         {"__local float a[4]; event_t e = async_work_group_copy(a, d, 0x3fffffffffffffffUL, 0);\n"
          "wait_group_events(1, &e);",
          "out-of-bounds"},
         {"__local float a[4]; event_t e = async_work_group_strided_copy(a, d, 0xffffffffUL,"
          " 0xffffffffffUL, 0);\nwait_group_events(1, &e);",
          "out-of-bounds"},
         {"__builtin_memcpy(o, d, 1UL << 40);", "copies 1099511627776 bytes"},
         {"__builtin_memset(o, 0, ~0UL);", "copies"},
         {"float16 v = (float16)(d[0]); o[i] = ((float*)&v)[1000000];", "out-of-bounds"},
         {"float4 v = (float4)(1); v[i * 1000000 + 4] = 2; o[i] = v[0];", "out-of-bounds"}});
}

TEST_CASE("hostile: more memory than available") {
    check({{"o[i] = f(100000000);", "variables",
            "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }"},
           {"o[i] = f(100000000);", "variables",
            "int f(int n) { int a[1000]; a[n % 1000] = n;"
            " return n == 0 ? 0 : a[n % 1000] + f(n - 1); }"},
           {"char a[1 << 30]; a[i] = 1; o[i] = a[i];", "private memory"},
           {"long a[1L << 34]; a[i] = 1; o[i] = a[i];", "private memory"},
           {"S s, t; s.a[5] = 1; t = s; o[i] = t.a[5];", "private memory",
            "typedef struct { char a[1 << 29]; } S;"},
           {"__local char a[1 << 30]; a[i] = 1; o[i] = a[i];", "local memory"},
           {"o[i] = a[i];", "cannot read", "__constant char a[1 << 28] = {1};"}});
}

TEST_CASE("hostile: invalid OpenCL C") {
    check({{"__asm__ volatile(\"syscall\");", "inline assembly in line 4"},
           {"o[i] = system((__constant char*)0);", "does not support the built-in function",
            "int system(__constant char* command);"},
           {"__builtin_trap();", "does not support the built-in function"},
           {"__builtin_unreachable();", "unreachable"},
           {"int (*f)(void) = one; o[i] = f();", "cannot compile", "int one(void) { return 1; }"}});
}
