#include "labgrind/program/portability.hpp"

#include "labgrind/interpreter.hpp"
#include "labgrind/vm/clang.hpp"

#include <doctest/doctest.h>
#include <span>
#include <string>
#include <vector>

namespace {

const std::string signature = "__kernel void k(__global const float* d, __global float* o)";

/// Where and why a program need not behave the same on every device; "" if it must.
std::string difference_of(const std::string& source,
                          const std::string& options = "-DCOMBINE(a,b)=((a)+(b)) -DSUM") {
    const labgrind::ir::Module module(labgrind::compile(source, options).module);
    const auto difference = labgrind::find_difference(source, options, module);
    return difference ? std::to_string(difference->line) + ": " + difference->what : "";
}

/// The same for a kernel that begins in line 1 and has this body in line 2.
std::string difference_in(const std::string& body, const std::string& before = "") {
    return difference_of(before + signature + " {\n" + body + "\n}\n");
}

} // namespace

TEST_CASE("a kernel that every compiler treats alike has no difference") {
    for (const std::string body :
         {"o[get_global_id(0)] = COMBINE(d[0], d[1]); // __SPIR__",
          "__global const float* p = d + 1; if (p != 0) o[0] = *p; /* (ulong)p */",
          "o[0] = fmax(d[0], clamp(d[1], -1.0f, 1.0f)) + dot((float2)(d[2]), (float2)(d[3]));",
          "__local float a[4], b[4]; __local float* pages[2] = {0, 0}; pages[0] = a; pages[1] = b;"
          " pages[get_local_id(0) & 1][0] = d[0]; o[0] = 1;",
          "__local float a[4]; event_t e = async_work_group_copy(a, d, 4, 0);"
          " wait_group_events(1, &e); o[0] = a[0];",
          "o[0] = convert_int_sat(d[0]) + vload4(0, d).w + as_float(7);",
          "printer(\"__SPIR__\", '_', d); o[0] = __LINE__;"}) {
        CAPTURE(body);
        CHECK(difference_in(body,
                            "void printer(__constant char* a, int b, __global const float* c) "
                            "{} ") == "");
    }
    CHECK(difference_of("#ifdef SUM\n#define LEAST 2\n#endif\n#if defined(LEAST) && LEAST > 1\n" +
                        signature + " {}\n#endif\n") == "");
    CHECK(difference_of("__attribute__((reqd_work_group_size(64, 1, 1))) " + signature + " {}\n") ==
          "");
}

TEST_CASE("a compiler-specific macro is a difference") {
    for (const std::string condition :
         {"#ifdef __SPIR__", "#if defined(__x86_64__)", "#  ifndef cl_khr_fp64",
          "#if CL_VERSION_1_2 > 0", "#ifdef /* */ __SP\\\nIR__",
          "#if 0\n#elif __clang_major__ > 15"}) {
        CAPTURE(condition);
        CHECK(difference_of(std::string(condition).append("\n#endif\n").append(signature) +
                            " {}\n") != "");
    }
    CHECK(difference_in("o[0] = __OPENCL_VERSION__;") ==
          "2: __OPENCL_VERSION__ differs between compilers");
    CHECK(difference_in("o[0] = __builtin_popcount(3);") != "");
    CHECK(difference_of("#define NAME(a, b) a##b\n" + signature + " {}\n") ==
          "1: ## can form the name of any macro");
}

TEST_CASE("an address used as a number is a difference") {
    const std::string before = "typedef union { __global const float* p; ulong n; } Both;"
                               " ulong look(const ulong* n) { return *n; } ";
    for (const std::string body :
         {"o[0] = (ulong)d >> 48;", "o[0] = (__global const float*)o - d;",
          "o[0] = (__global const float*)o < d;", "Both both; both.p = d; o[0] = both.n >> 48;",
          "__global const float* p = d; o[0] = *(ulong*)&p >> 48;",
          "__global const float* p = d; o[0] = look((const ulong*)&p) >> 48;",
          "__global const float* p = d; o[0] = vload2(0, (uint*)&p).y;",
          "__local ulong n[1]; *(__global const float* __local*)n = d; o[0] = n[0] >> 48;"}) {
        CAPTURE(body);
        CHECK(difference_in(body, before).find("2: an address") == 0);
    }
}

TEST_CASE("a result that OpenCL C leaves unspecified is a difference") {
    for (const std::string body :
         {"o[0] = (int)(d[0] * 1e20f);", "o[0] = convert_int(d[0]);", "o[0] = native_exp(d[0]);",
          "o[0] = sin(d[0]);", "o[0] = printf(\"%d\", 1);"}) {
        CAPTURE(body);
        CHECK(difference_in(body).rfind("2: ", 0) == 0);
    }
}

TEST_CASE("an atomic operation is a difference because its order is unknown") {
    const std::string before = "void count(volatile __global int* n) { atomic_inc(n); } ";
    for (const std::string body :
         {"atomic_add((volatile __global int*)o, 1);", "count((volatile __global int*)o);",
          "__local int n; atomic_xchg(&n, 1); o[0] = d[0];"}) {
        CAPTURE(body);
        CHECK(difference_in(body, before).find("in a different order on each device") !=
              std::string::npos);
    }
}

TEST_CASE("a difference that depends on no order comes before an atomic operation") {
    const std::string before = "void count(volatile __global int* n) { atomic_inc(n); } ";
    CHECK(difference_in("o[0] = (float)(ulong)d;", before).find("an address is used as a number") !=
          std::string::npos);
}

TEST_CASE("the order of atomic operations matters only if they meet at a word") {
    const auto difference_when_run = [](const std::string& body, bool watched = true) {
        std::vector<int> memory(8);
        wire::Interpret request;
        request.program.source =
            "__kernel void k(volatile __global int* n) { int i = get_global_id(0); " + body + " }";
        request.launch.kernel = "k";
        request.launch.global_size = {8, 1, 1};
        request.launch.work_group_size = {4, 1, 1};
        request.launch.memory_size = memory.size() * sizeof(int);
        request.launch.arguments = {
            {wire::LaunchArgument::Kind::buffer, {0, request.launch.memory_size}}};
        request.watched = watched;
        const wire::Analysis analysis =
            labgrind::Interpreter().run(request, std::as_writable_bytes(std::span(memory)));
        CHECK(analysis.failure == "");
        return analysis.difference;
    };
    const std::string order = "work-items reach atomic_inc in a different order on each device";
    CHECK(difference_when_run("atomic_inc(n + i);") == "");
    CHECK(difference_when_run("atomic_inc(n + i);", false) == order); // nobody has looked
    CHECK(difference_when_run("atomic_inc(n);") == order);
    CHECK(difference_when_run("if (i == 0) atomic_inc(n);") == "");
    CHECK(difference_when_run("if (i == 0) atomic_inc(n); else n[i] = n[0];") == order);
    CHECK(difference_when_run("__local int l[4]; atomic_inc(l + i % 4);") == "");
    CHECK(difference_when_run("__local int l; atomic_inc(&l);") == order);
}
