#include "grader/case.hpp"
#include "reductions.hpp"
#include "trials.hpp"

#include <algorithm>
#include <cctype>

using namespace grader;
using namespace reductions;

namespace {

constexpr const char* kernel_file = "lab1_reduction_scalar.cl";
constexpr const char* kernel_name = "reduction_scalar";

const Program sum_program = program_for(kernel_file, Operator::sum);

/// The same layout as struct Reduction in labs/lab1/lab1.hpp.
struct Reduction {
    float value;
    std::uint64_t nanoseconds;
};

/// Makes the device pretend to allow `work_group_size` at most, for lab 1 chooses the size itself.
float reduce_with_groups_of(Case& lab, const Program& program, Operator op,
                            const std::vector<float>& values, std::size_t work_group_size) {
    wire::Limits limits;
    limits.max_work_group_size = work_group_size;
    lab.set_limits(limits);
    let_host_combine(lab, values.size(), work_group_size);
    return lab.compute(program, "reduce", values, op).value<Reduction>().value;
}

const Lab under_test{kernel_file, kernel_name, 1, reduce_with_groups_of};

std::string describe(const wire::Limits& limits) {
    return "a device with work-groups up to " + std::to_string(limits.max_work_group_size) +
           " and " + std::to_string(limits.local_memory) +
           " bytes of local memory, and a kernel limited to " +
           std::to_string(limits.kernel_work_group_size);
}

/// The largest power of two that `limits` leave for one float a work-item.
std::size_t largest_allowed(const wire::Limits& limits) {
    return powers_of_two(1, std::min({limits.max_work_group_size, limits.kernel_work_group_size,
                                      limits.local_memory / sizeof(float)}))
        .back();
}

std::size_t choose(Case& lab, const wire::Limits& limits) {
    lab.set_limits(limits);
    return lab.trial(describe(limits), [&] {
        return lab.call(sum_program, "choose_work_group_size", std::string(kernel_name))
            .value<std::size_t>();
    });
}

void check_choice(Case& lab, const wire::Limits& limits) {
    const std::size_t chosen = choose(lab, limits);
    const std::size_t largest = largest_allowed(limits);
    if (chosen != largest)
        lab.fail(sum_program,
                 {"wrong work-group size",
                  {"expected " + std::to_string(largest) + ", got " + std::to_string(chosen) +
                   ((chosen & (chosen - 1)) != 0 ? ", which is no power of two" : "")},
                  ""});
}

bool names_the_work_group_size(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find("work-group") != std::string::npos ||
           text.find("work group") != std::string::npos ||
           text.find("workgroup") != std::string::npos;
}

void check_refusal(Case& lab, const Run& run, const std::string& function) {
    Failure failure{function + " must refuse a work-group size of 1", {}, ""};
    if (run.seen.outcome == wire::Outcome::returned)
        failure.details = {"it returned as if nothing were wrong; throw std::runtime_error"};
    else if (run.seen.outcome == wire::Outcome::opencl_error && run.seen.call.rfind("cl", 0) != 0)
        failure.details = {"it threw a cl::Error with a text of its own; throw std::runtime_error"};
    else if (run.seen.outcome == wire::Outcome::opencl_error)
        failure.details = {"it went on until " + run.seen.call +
                           " failed; throw std::runtime_error before that"};
    else if (!names_the_work_group_size(run.seen.message))
        failure.details = {"it threw \"" + run.seen.message +
                           "\"; the message must name the work-group size"};
    if (!failure.details.empty())
        lab.fail(sum_program, failure);
}

void check_time_told(Case& lab, const wire::CallReply& seen, std::uint64_t told) {
    if (seen.launches.size() != 1)
        lab.fail(sum_program, {"wrong launch", {"there must be one launch"}, kernel_name});
    const std::uint64_t measured = seen.launches.front().nanoseconds;
    if (told != measured)
        lab.fail(sum_program, {"wrong kernel time",
                               {"told were " + std::to_string(told) + " ns, but the kernel ran " +
                                std::to_string(measured) +
                                " ns from CL_PROFILING_COMMAND_START to CL_PROFILING_COMMAND_END"},
                               ""});
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab1",
            "Scalar reduction",
            {{kernel_file, {kernel_name}, all_options()}},
            [](Case& lab) { check_small(lab, under_test, kernel_name); }};
}

TEST_CASE("work-group size: the largest power of two that fits" * points(1) *
          hint("Take the smaller of the device's and the kernel's limit, then go down in powers of "
               "two until one float for each work-item fits into local memory.")) {
    Case lab;
    // What the device really allows this kernel is the limit of what it can pretend.
    const std::size_t most = lab.largest_work_group(sum_program, kernel_name);
    const std::size_t memory = lab.device().local_memory;
    for (const std::size_t size : powers_of_two(2, most)) {
        check_choice(lab, {size, most, memory});        // the device is the limit
        check_choice(lab, {most, size, memory});        // the kernel is
        check_choice(lab, {most, most, size * 4});      // local memory is
        check_choice(lab, {most, most, size * 4 + 20}); // ... and is not used up
    }
    check_choice(lab, {std::min<std::size_t>(most, 100), std::min<std::size_t>(most, 96), memory});
}

TEST_CASE(
    "work-group size: 1 is refused" * points(1) *
    hint("With one work-item a group there is nothing to reduce in it, and every further pass "
         "would be as long as the last. Throw std::runtime_error and say so.")) {
    Case lab;
    check_choice(lab, {64, 2, 4096}); // who refuses everything has refused nothing
    const wire::Limits limits{64, 1, 4096};
    lab.set_limits(limits);
    const std::vector<float> values = whole_numbers(lab.random(), 100);
    lab.trial(describe(limits), [&] {
        check_refusal(lab,
                      lab.attempt(sum_program, "choose_work_group_size", std::string(kernel_name)),
                      "choose_work_group_size");
        check_refusal(lab, lab.attempt(sum_program, "reduce", values, Operator::sum), "reduce");
    });
}

TEST_CASE("sum: every length" * points(1) *
          hint("If full groups are right and others are not, look at the padding: the work-items "
               "beyond the last element still take part, with the operator's identity.")) {
    Case lab;
    for (const std::size_t n : lengths_around(64, 70000))
        check_whole_numbers(lab, under_test, n, 64);
}

TEST_CASE("sum: every work-group size" * points(1) *
          hint("Take the group's size from get_local_size(0), and the number of groups from the "
               "size you chose; no number of your own machine belongs into the code.")) {
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
          hint("The kernel adds floats to floats, and the host does too; an int on the way cuts "
               "off what stands after the point.")) {
    Case lab;
    for (const std::size_t n : {1, 2, 1000, 65537, 300007})
        check_random_floats(lab, under_test, n, 128);
}

TEST_CASE("minimum" * points(1) *
          hint("Use COMBINE instead of + in the kernel and combine() on the host, and pad with "
               "identity(op), which is infinity here.")) {
    Case lab;
    for (const std::size_t n : {1, 63, 65, 1000, 20011})
        check_extremes(lab, under_test, Operator::minimum, n, 64);
}

TEST_CASE("maximum" * points(1) *
          hint("As for the minimum; the identity is minus infinity, and all elements may be below "
               "0.")) {
    Case lab;
    for (const std::size_t n : {1, 63, 65, 1000, 20011})
        check_extremes(lab, under_test, Operator::maximum, n, 64);
}

TEST_CASE(
    "the kernel does the work and the event tells its time" * points(1) *
    hint("One launch with one work-item an element, one float of local memory for each of "
         "them (cl::Local), one partial sum a group read back; the time is END minus START of "
         "the event of that launch.")) {
    Case lab;
    const std::size_t size = 128;
    const std::size_t groups = 10;
    wire::Limits limits;
    limits.max_work_group_size = size;
    lab.set_limits(limits);
    for (const std::size_t n : {groups * size - 3, groups * size}) {
        const std::vector<float> values = whole_numbers(lab.random(), n);
        let_host_combine(lab, n, size);
        lab.trial(parameters(n, size), [&] {
            const Run run = lab.compute(sum_program, "reduce", values, Operator::sum);
            const auto result = run.value<Reduction>();
            check_result(lab, under_test, Operator::sum, values, result.value, 0, size);
            check_launches(
                lab, sum_program, run,
                {kernel_name, size, groups * size, size * sizeof(float), groups * sizeof(float)});
            check_time_told(lab, run.seen, result.nanoseconds);
            lab.require_kernels(sum_program, run, sizeof result.value, "reduce", values,
                                Operator::sum);
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
    check_shared_work(lab, under_test, kernel_name);
}

TEST_CASE("time: what a tree should take" * points(1) *
          hint("Neighbouring work-items read neighbouring elements, and all of them work: one "
               "work-item that adds up everything is no reduction.")) {
    Case lab;
    check_time(
        lab, under_test, kernel_name, reduction_bound,
        [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t /*size*/) {
            lab.time(sum_program, limit, "reduce", values, Operator::sum);
        });
}
