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
                     [](Case& lab, const Program& program, Operator op,
                        const std::vector<float>& values, std::size_t work_group_size) {
                         let_host_combine(lab, values.size(), work_group_size * lanes);
                         const Run run =
                             lab.compute(program, "reduce", values, op, work_group_size);
                         check_launches(lab, program, run, {kernel_name, work_group_size});
                         return run.value<float>();
                     }};

} // namespace

LabInfo grader::describe_lab() {
    return {"lab2",
            "Reduction with float4",
            {{kernel_file, {kernel_name}, all_options()}},
            [](Case& lab) { check_small(lab, under_test, kernel_name); }};
}

TEST_CASE(
    "sum: every length" * points(2) *
    hint("A group takes 4 * work_group_size elements; pad to a whole number of groups, so that "
         "the last float4 is whole as well.")) {
    Case lab;
    for (const std::size_t n : lengths_around(64 * lanes, 70000))
        check_whole_numbers(lab, under_test, n, 64);
}

TEST_CASE("sum: every work-group size" * points(1) *
          hint("The number of groups and the local memory follow from work_group_size; the kernel "
               "takes the group's size from get_local_size(0).")) {
    Case lab;
    check_every_group_size(lab, under_test, kernel_name);
}

TEST_CASE("sum: millions of elements" * points(1) *
          hint("Sizes in bytes and in elements do not fit into 16 bits, and the host adds one "
               "partial sum for each of very many groups.")) {
    Case lab;
    check_millions(lab, under_test, kernel_name);
}

TEST_CASE("sum: floats that round" * points(1) *
          hint("The kernel adds float4 to float4, and the host adds floats; an int on the way cuts "
               "off what stands after the point.")) {
    Case lab;
    for (const std::size_t n : {1, 2, 1000, 65537, 300007})
        check_random_floats(lab, under_test, n, 128);
}

TEST_CASE("minimum" * points(1) *
          hint("dot() with ones adds the lanes up; a minimum needs COMBINE of the four lanes, and "
               "padding with identity(op).")) {
    Case lab;
    for (const std::size_t n : {1, 3, 255, 257, 20011})
        check_extremes(lab, under_test, Operator::minimum, n, 64);
}

TEST_CASE("maximum" * points(1) *
          hint("As for the minimum; the identity is minus infinity, and all elements may be below "
               "0.")) {
    Case lab;
    for (const std::size_t n : {1, 3, 255, 257, 20011})
        check_extremes(lab, under_test, Operator::maximum, n, 64);
}

TEST_CASE("a quarter of the work-items" * points(1) *
          hint("One work-item for every four elements, one cl_float4 of local memory for each "
               "work-item, one float a group to read back.")) {
    Case lab;
    const std::size_t size = 32;
    const std::size_t groups = 10;
    for (const std::size_t n : {groups * size * lanes - 5, groups * size * lanes}) {
        const std::vector<float> values = whole_numbers(lab.random(), n);
        let_host_combine(lab, n, size * lanes);
        lab.trial(parameters(n, size), [&] {
            const Run run = lab.compute(sum_program, "reduce", values, Operator::sum, size);
            check_result(lab, under_test, Operator::sum, values, run.value<float>(), 0, size);
            check_launches(lab, sum_program, run,
                           {kernel_name, size, groups * size, size * lanes * sizeof(float),
                            groups * sizeof(float)});
            lab.require_kernels(sum_program, run, sizeof(float), "reduce", values, Operator::sum,
                                size);
        });
    }
}

TEST_CASE(
    "no data race" * points(2) *
    hint("Where one work-item reads what another one has written, a barrier lies between, with "
         "the flag of the memory they use: CLK_LOCAL_MEM_FENCE for local memory.")) {
    Case lab;
    lab.require_none(findings::races_and_locks);
}

TEST_CASE("barriers reached by all" * points(1) *
          hint("A barrier stands where every work-item of the group comes by: outside of every if "
               "that some do not take, and after no return.")) {
    Case lab;
    lab.require_none(findings::barriers);
}

TEST_CASE("inside its buffers" * points(1) *
          hint("Every index stays within its array, and local memory holds nothing until "
               "somebody has written it.")) {
    Case lab;
    lab.require_none(findings::bounds);
}

TEST_CASE("the work is shared" * points(1) *
          hint("Each work-item loads one float4 of the data, and in every step of the tree half of "
               "the work-items that are left add one pair of them.")) {
    Case lab;
    check_shared_work(lab, under_test, kernel_name);
}

TEST_CASE(
    "time: float4 against scalar" * points(2) *
    hint("A float4 kernel has a quarter of the work-items and of the barriers. If it is slower "
         "than a scalar one, it probably handles the lanes one by one.")) {
    Case lab;
    check_time(lab, under_test, kernel_name, vector_bound,
               [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t size) {
                   lab.time(sum_program, limit, "reduce", values, Operator::sum, size);
               });
}
