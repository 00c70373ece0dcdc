#include "grader/case.hpp"
#include "reductions.hpp"
#include "trials.hpp"

#include <algorithm>
#include <numeric>

using namespace grader;
using namespace reductions;

namespace {

constexpr const char* kernel_file = "lab3_reduction_complete.cl";
constexpr const char* vector_kernel = "reduction_vector";
constexpr const char* complete_kernel = "reduction_complete";
constexpr std::size_t lanes = 4;

const Program sum_program = program_for(kernel_file, Operator::sum);

const Lab under_test{kernel_file, "", lanes,
                     [](Case& lab, const Program& program, Operator op,
                        const std::vector<float>& values, std::size_t work_group_size) {
                         const Run run =
                             lab.compute(program, "reduce", values, op, work_group_size);
                         if (values.size() > lanes * work_group_size)
                             check_launches(lab, program, run,
                                            {vector_kernel, work_group_size, 0,
                                             work_group_size * lanes * sizeof(float)});
                         return run.value<float>();
                     }};

/// What is wrong with how a reduction of `n` elements was launched, or "".
std::string wrong_launches(const wire::CallReply& seen, std::size_t n, std::size_t size) {
    const auto& launches = seen.launches;
    if (launches.empty() || launches.back().kernel != complete_kernel)
        return "the last launch must be one of " + std::string(complete_kernel);
    const auto completed = std::count_if(launches.begin(), launches.end(), [](const auto& launch) {
        return launch.kernel == complete_kernel;
    });
    if (completed != 1)
        return std::string(complete_kernel) + " must be launched once, not " +
               std::to_string(completed) + " times";
    if (launches.back().global_size != launches.back().work_group_size)
        return std::string(complete_kernel) + " must run in one work-group";
    const std::size_t local_bytes = launches.back().work_group_size[0] * lanes * sizeof(float);
    if (launches.back().local_memory < local_bytes)
        return std::string(complete_kernel) + " must be given " + std::to_string(local_bytes) +
               " bytes of local memory, not " + std::to_string(launches.back().local_memory);
    if (n > lanes * size && launches.size() < 2)
        return std::to_string(n) + " elements are more than one work-group of " +
               std::to_string(size) + " takes; " + vector_kernel + " has to come first";
    const std::size_t bytes_read =
        std::accumulate(seen.reads.begin(), seen.reads.end(), std::size_t{0});
    if (bytes_read != sizeof(float))
        return "the host must read back one float, " + std::to_string(sizeof(float)) +
               " bytes, but it read " + std::to_string(bytes_read);
    return {};
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab3",
            "Reduction with several kernels",
            {{kernel_file, {vector_kernel, complete_kernel}, all_options()}},
            [](Case& lab) { check_small(lab, under_test, vector_kernel); }};
}

TEST_CASE("sum: every length" * points(2) *
          hint("After each pass the number of float4 left is the number of groups; whatever stands "
               "between that and a whole number of groups must be the identity.")) {
    Case lab;
    for (const std::size_t n : lengths_around(16 * lanes, 70000))
        check_whole_numbers(lab, under_test, n, 16);
}

TEST_CASE("sum: every work-group size" * points(2) *
          hint("Small groups need many passes, large groups none but the last one. The number of "
               "passes follows from the number of groups left.")) {
    Case lab;
    check_every_group_size(lab, under_test, vector_kernel);
}

TEST_CASE("sum: millions of elements" * points(1) *
          hint("If this fails where small inputs pass, a later pass may read what an earlier one "
               "left in the buffer.")) {
    Case lab;
    check_millions(lab, under_test, vector_kernel);
}

TEST_CASE("sum: floats that round" * points(1) *
          hint("All passes add floats; an int on the way cuts off what stands after the point.")) {
    Case lab;
    for (const std::size_t n : {1, 2, 1000, 65537, 300007})
        check_random_floats(lab, under_test, n, 32);
}

TEST_CASE("minimum" * points(1) *
          hint("The tail of every buffer must hold identity(op), not 0, and reduction_complete has "
               "to COMBINE the four lanes.")) {
    Case lab;
    for (const std::size_t n : {1, 3, 63, 65, 4097, 20011})
        check_extremes(lab, under_test, Operator::minimum, n, 16);
}

TEST_CASE("maximum" * points(1) *
          hint("As for the minimum; the identity is minus infinity, and all elements may be below "
               "0.")) {
    Case lab;
    for (const std::size_t n : {1, 3, 63, 65, 4097, 20011})
        check_extremes(lab, under_test, Operator::maximum, n, 16);
}

TEST_CASE(
    "one float is read back" * points(1) *
    hint("Passes of reduction_vector until one work-group can take what is left, one launch of "
         "reduction_complete with one work-group, and one read of four bytes.")) {
    Case lab;
    for (const std::size_t n : {1, 5, 64, 1000, 50000}) {
        const std::size_t size = 16;
        const std::vector<float> values = whole_numbers(lab.random(), n);
        lab.trial(parameters(n, size), [&] {
            const Run run = lab.compute(sum_program, "reduce", values, Operator::sum, size);
            check_result(lab, under_test, Operator::sum, values, run.value<float>(), 0, size);
            const std::string wrong = wrong_launches(run.seen, n, size);
            if (!wrong.empty())
                lab.fail(sum_program, {"wrong launches", {wrong}, ""});
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

TEST_CASE(
    "the work is shared" * points(1) *
    hint("In every step of the tree half of the work-items that are left add one pair each.")) {
    Case lab;
    check_shared_work(lab, under_test, vector_kernel);
}

TEST_CASE("time: what a tree should take" * points(1) *
          hint("Every pass has as many work-groups as there is work for; only the last one is a "
               "single group.")) {
    Case lab;
    check_time(lab, under_test, vector_kernel, reduction_bound,
               [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t size) {
                   lab.time(sum_program, limit, "reduce", values, Operator::sum, size);
               });
}
