#include "grader/case.hpp"
#include "reductions.hpp"
#include "trials.hpp"

using namespace grader;
using namespace reductions;

namespace {

constexpr const char* kernel_file = "lab2_reduction_vector.cl";
constexpr const char* kernel_name = "reduction_vector";
constexpr std::size_t lanes = 4;

const Program sum_program = program_for(kernel_file, Operator::sum);

const Lab under_test{kernel_file, kernel_name, lanes,
                     [](Case& test, const Program& program, Operator op,
                        const std::vector<float>& values, std::size_t work_group_size) {
                         let_host_combine(test, values.size(), work_group_size * lanes);
                         explain_launch(test, kernel_name, values.size(), work_group_size, lanes);
                         wire::Limits limits; // as much local memory as the handout asks for
                         limits.local_memory = work_group_size * lanes * sizeof(float);
                         test.set_limits(limits);
                         const Run run =
                             test.compute(program, "reduce", values, op, work_group_size);
                         check_launches(test, program, run, {kernel_name, work_group_size});
                         return run.value<float>();
                     }};

} // namespace

LabInfo grader::describe_lab() {
    return {"lab2",
            "Reduction with float4",
            {{kernel_file, {kernel_name}, all_options()}},
            [](Case& test) { check_small(test, under_test, kernel_name); },
            examples(under_test, {{29, 4}, {32, 4}, {1, 2}, {16, 4}, {15, 2}}),
            effect(under_test)};
}

TEST_CASE("sum: every length" * points(2) *
          hint("Which lengths fail? Compare them with 4 times the work-group size.",
               "A group takes 4 * work_group_size elements; pad to a whole number of groups, so "
               "that the last float4 is whole, too.",
               "The number of groups is (n + 4 * size - 1) / (4 * size). Resize a copy of the data "
               "to groups * 4 * size with identity(op), launch groups * size work-items, and let "
               "each take data[get_global_id(0)], a float4.")) {
    Case test;
    for (const std::size_t n : lengths_around(64 * lanes, 70000))
        check_whole_numbers(test, under_test, n, 64);
    check_signs(test, under_test, Operator::sum, 1000, 64);
}

TEST_CASE("sum: every work-group size" * points(1) * group_sizes_hint()) {
    Case test;
    check_every_group_size(test, under_test, kernel_name);
}

TEST_CASE("sum: millions of elements" * points(1) * millions_hint()) {
    Case test;
    check_millions(test, under_test, kernel_name);
}

TEST_CASE("sum: floats that round" * points(1) * floats_hint()) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537, 300007})
        check_random_floats(test, under_test, n, 128);
}

TEST_CASE("minimum" * points(1) *
          hint("What does your code do with the four lanes that is right only for a sum?",
               "dot() with ones adds the lanes up; a minimum needs COMBINE of the four lanes, and "
               "padding with identity(op).",
               "Combine x with y, z with w, and then both results, all with COMBINE. Start the "
               "host's result with identity(op).")) {
    Case test;
    for (const std::size_t n : {1, 3, 255, 257, 20011})
        check_extremes(test, under_test, Operator::minimum, n, 64);
}

TEST_CASE("maximum" * points(1) * maximum_hint()) {
    Case test;
    for (const std::size_t n : {1, 3, 255, 257, 20011})
        check_extremes(test, under_test, Operator::maximum, n, 64);
}

TEST_CASE(
    "a quarter of the work-items" * points(1) *
    hint("The message says which number of the launch is different. Compare it with n / 4.",
         "Use one work-item for every four elements and one cl_float4 of local memory per "
         "work-item, and read back one float per group.",
         "Launch groups * work_group_size work-items, where a group takes 4 * work_group_size "
         "elements. Pass cl::Local(work_group_size * sizeof(cl_float4)), and let work-item 0 "
         "combine the four lanes of partial_results[0] before it writes one float.")) {
    Case test;
    const std::size_t size = 32;
    const std::size_t groups = 10;
    for (const std::size_t n : {groups * size * lanes - 5, groups * size * lanes}) {
        const std::vector<float> values = whole_numbers(test.random(), n);
        let_host_combine(test, n, size * lanes);
        test.trial(parameters(n, size), [&] {
            explain_launch(test, kernel_name, n, size, lanes);
            const Run run = test.compute(sum_program, "reduce", values, Operator::sum, size);
            check_result(test, under_test, Operator::sum, values, run.value<float>(), 0, size);
            check_launches(test, sum_program, run,
                           {kernel_name, size, groups * size, size * lanes * sizeof(float),
                            groups * sizeof(float)});
            test.require_kernels(sum_program, run, sizeof(float), "reduce", values, Operator::sum,
                                 size);
        });
    }
}

TEST_CASE(
    "the work is shared" * points(1) *
    hint("Compare the number of loads with the number of float4 values in the data.",
         "Each work-item loads one float4 of the data, and in every step of the tree, half of the "
         "remaining work-items add one pair of them.",
         "The parameter data is a __global const float4*: read data[get_global_id(0)] as a whole, "
         "keep float4 values in local memory, and join the lanes only once, in work-item 0 at the "
         "end.")) {
    Case test;
    check_shared_work(test, under_test, kernel_name);
}

TEST_CASE("no data race" * points(2) * reports(findings::races_and_locks) * hints::local_races()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("barriers reached by all" * points(1) * reports(findings::barriers) * hints::barriers()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("inside its buffers" * points(1) * reports(findings::bounds) * hints::bounds()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("time: float4 against scalar" * points(2) *
          hint("What is done four times that could be done once?",
               "A float4 kernel has a quarter of the work-items and of the barriers. If it is "
               "slower than a scalar one, it probably handles the lanes one by one.",
               "Combine whole float4 values in the tree. A loop over x, y, z, w, or a tree for "
               "each lane, costs what the vectors save.")) {
    Case test;
    check_time(test, under_test, kernel_name, vector_bound,
               [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t size) {
                   test.time(sum_program, limit, "reduce", values, Operator::sum, size);
               });
}
