#include "grader/case.hpp"
#include "reductions.hpp"
#include "trials.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

/// Makes the device pretend to allow at most `work_group_size`, because lab 1 chooses the size
/// itself, and to have no more local memory than that needs.
float reduce_with_groups_of(Case& test, const Program& program, Operator op,
                            const std::vector<float>& values, std::size_t work_group_size) {
    wire::Limits limits;
    limits.max_work_group_size = work_group_size;
    limits.local_memory = work_group_size * sizeof(float);
    test.set_limits(limits);
    let_host_combine(test, values.size(), work_group_size);
    explain_launch(test, kernel_name, values.size(), work_group_size, 1);
    return test.compute(program, "reduce", values, op).value<Reduction>().value;
}

const Lab under_test{kernel_file, kernel_name, 1, reduce_with_groups_of};

std::string describe(const wire::Limits& limits) {
    return "a device (work-groups up to " + std::to_string(limits.max_work_group_size) + ", " +
           std::to_string(limits.local_memory) + " bytes of local memory, a kernel limited to " +
           std::to_string(limits.kernel_work_group_size) + ")";
}

/// The largest power of two that `limits` allow with one float per work-item.
std::size_t largest_allowed(const wire::Limits& limits) {
    return powers_of_two(1, std::min({limits.max_work_group_size, limits.kernel_work_group_size,
                                      limits.local_memory / sizeof(float)}))
        .back();
}

std::size_t choose(Case& test, const wire::Limits& limits) {
    test.set_limits(limits);
    return test.trial(describe(limits), [&] {
        return test.call(sum_program, "choose_work_group_size", std::string(kernel_name))
            .value<std::size_t>();
    });
}

/// Known mistakes that lead to `chosen`. `before`: the right size in the trial before; 0: none.
std::vector<std::string> mistakes_in_choice(const wire::Limits& limits, std::size_t chosen,
                                            std::size_t before) {
    const std::size_t largest = largest_allowed(limits);
    wire::Limits in_items = limits;
    in_items.local_memory *= sizeof(float);
    const bool ignores_kernel =
        chosen > limits.kernel_work_group_size && chosen <= limits.max_work_group_size;
    std::vector<std::string> found;
    if (chosen == largest_allowed(in_items))
        found.emplace_back(
            "the size of the local memory is in bytes, not in work-items: a float takes 4 bytes");
    else if (chosen == 2 * largest && !ignores_kernel)
        found.emplace_back(
            "your loop doubles the size one time too many, or your code rounds up to a "
            "power of two instead of down");
    if (chosen == before && (2 * chosen <= largest || chosen > 2 * largest))
        found.emplace_back(
            "this is the right size for the previous device: query all limits in each "
            "call, and keep nothing in static or global variables");
    wire::Limits of_device = limits;
    of_device.kernel_work_group_size = limits.max_work_group_size;
    if (ignores_kernel && chosen == largest_allowed(of_device))
        found.emplace_back("your code ignores the kernel's limit: use the smaller of the device's "
                           "limit and the kernel's limit");
    else if (ignores_kernel)
        found.emplace_back("your code does not ask for the kernel's limit, which is "
                           "CL_KERNEL_WORK_GROUP_SIZE; "
                           "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE is not a limit");
    const bool fits_exactly = largest * sizeof(float) == limits.local_memory ||
                              largest == limits.kernel_work_group_size ||
                              largest == limits.max_work_group_size;
    if (2 * chosen == largest && fits_exactly)
        found.emplace_back("your code rejects a size that fits exactly: is there a < that should "
                           "be <=, or a constant that limits the size?");
    else if (2 * chosen == largest && chosen != before)
        found.emplace_back("your loop ends one step too early, or a constant limits the size");
    if (!std::has_single_bit(chosen) &&
        (chosen == limits.local_memory / sizeof(float) || chosen == limits.kernel_work_group_size ||
         chosen == limits.max_work_group_size))
        found.emplace_back("one of the limits is " + std::to_string(chosen) +
                           ": take the smallest of all limits first, and then round down to a "
                           "power of two");
    return found;
}

/// The limits that a size exceeds, with the query for each.
std::vector<std::string> exceeded(const wire::Limits& limits, std::size_t chosen) {
    std::vector<std::string> found;
    const auto check = [&](std::size_t needed, std::size_t limit, const std::string& what) {
        if (needed > limit)
            found.push_back("it is above " + what + " " + std::to_string(limit));
    };
    check(chosen, limits.max_work_group_size, "the device's CL_DEVICE_MAX_WORK_GROUP_SIZE,");
    check(chosen, limits.kernel_work_group_size,
          "the kernel's limit: CL_KERNEL_WORK_GROUP_SIZE of reduction_scalar is");
    check(chosen * sizeof(float), limits.local_memory,
          "the local memory: it needs " + std::to_string(chosen * sizeof(float)) +
              " bytes, but CL_DEVICE_LOCAL_MEM_SIZE is");
    return found;
}

/// `before`: the right size in the trial before; 0: none. Returns that of this trial.
std::size_t check_choice(Case& test, const wire::Limits& limits, std::size_t before = 0) {
    const std::size_t chosen = choose(test, limits);
    const std::size_t largest = largest_allowed(limits);
    if (chosen == largest)
        return largest;
    Failure failure{"wrong work-group size",
                    {"expected " + std::to_string(largest) + ", got " + std::to_string(chosen) +
                     ((chosen & (chosen - 1)) != 0 ? ", which is not a power of two" : "")}};
    for (const std::string& limit : exceeded(limits, chosen))
        failure.details.push_back(limit);
    failure.why.guesses = mistakes_in_choice(limits, chosen, before);
    if (!failure.why.guesses.empty())
        failure.why.hints = Hints{};
    test.fail(sum_program, failure);
}

bool names_the_work_group_size(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find("work-group") != std::string::npos ||
           text.find("work group") != std::string::npos ||
           text.find("workgroup") != std::string::npos;
}

bool launches_larger_groups(const wire::CallReply& seen) {
    return !seen.attempted.empty() && wire::volume(seen.attempted.back().work_group_size) > 1;
}

void check_refusal(Case& test, const Run& run, const std::string& function) {
    Failure failure{function + " must refuse a work-group size of 1"};
    if (run.seen.outcome == wire::Outcome::returned)
        failure.details = {"it returned as if nothing were wrong; throw std::runtime_error"};
    else if (run.seen.outcome == wire::Outcome::opencl_error && !run.seen.call.starts_with("cl"))
        failure.details = {"it threw its own cl::Error; throw std::runtime_error"};
    else if (run.seen.outcome == wire::Outcome::opencl_error && launches_larger_groups(run.seen))
        failure.details = {
            "it launches work-groups of " +
            std::to_string(wire::volume(run.seen.attempted.back().work_group_size)) +
            ": take the size from choose_work_group_size(), which throws std::runtime_error"};
    else if (run.seen.outcome == wire::Outcome::opencl_error)
        failure.details = {"it continued until " + run.seen.call +
                           " failed; throw std::runtime_error before that"};
    else if (run.seen.outcome == wire::Outcome::unknown_exception)
        failure.details = {
            "it threw something that is not a std::exception; throw std::runtime_error"};
    else if (!names_the_work_group_size(run.seen.message))
        failure.details = {"it threw \"" + run.seen.message +
                           R"("; the message must contain "work-group")"};
    if (!failure.details.empty())
        test.fail(sum_program, failure);
}

/// What the host asked its events for instead of the start and the end of the kernel; "" if it asked
/// for these.
std::string wrong_time_asked_for(const wire::CallReply& seen) {
    using Asked = wire::AskedTime;
    for (const Asked& one : seen.asked_times) {
        if (one.command != Asked::Command::launch)
            return std::string("the event belongs to ") +
                   (one.command == Asked::Command::transfer ? "a transfer" : "another command") +
                   ", not to the kernel: use an event that you pass to enqueueNDRangeKernel";
        if (one.moment == Asked::Moment::queued || one.moment == Asked::Moment::submitted)
            return std::string("it asks for CL_PROFILING_COMMAND_") +
                   (one.moment == Asked::Moment::queued ? "QUEUED" : "SUBMIT") +
                   ", but the kernel runs from CL_PROFILING_COMMAND_START to "
                   "CL_PROFILING_COMMAND_END";
    }
    return "";
}

/// A kernel seems to take so much longer that its time needs more digits than a float or an int has.
constexpr std::uint64_t added_time = 5'000'000'001; // ns

void check_reported_time(Case& test, const wire::CallReply& seen, std::uint64_t reported) {
    if (seen.launches.size() != 1)
        test.fail(sum_program, grader::wrong_launch("there must be one launch"));
    const std::uint64_t measured = seen.launches.front().nanoseconds;
    if (reported == measured)
        return;
    struct Unit {
        const char* name;
        std::uint64_t nanoseconds;
    };
    constexpr std::array<Unit, 2> units{{{"microseconds", 1000}, {"milliseconds", 1000000}}};
    const auto is_in = [&](const Unit& unit) {
        return reported != 0 && reported == measured / unit.nanoseconds;
    };
    Failure failure{"wrong kernel time",
                    {"the function returned " + std::to_string(reported) +
                     " ns, but the kernel ran " + std::to_string(measured) +
                     " ns from CL_PROFILING_COMMAND_START to CL_PROFILING_COMMAND_END" +
                     (measured > added_time ? ", of which the harness has added 5 s" : "")},
                    ""};
    const std::string asked =
        seen.asked_times.empty()
            ? "it does not query an event; a host clock also measures the launch and the transfers"
            : wrong_time_asked_for(seen);
    if (!asked.empty())
        failure.details.insert(failure.details.begin(), "in your host code: " + asked);
    else if (reported == 0)
        failure.why.guesses.emplace_back(
            "the time is in milliseconds and rounds to 0, or it is computed with floats or ints, "
            "in which the end and the start are the same: subtract them as cl_ulong, and return "
            "nanoseconds");
    else if (reported == 0 - measured)
        failure.why.guesses.emplace_back("the end is subtracted from the start");
    else if (reported == static_cast<std::uint32_t>(measured) ||
             reported == static_cast<std::uint64_t>(static_cast<std::int32_t>(measured)))
        failure.why.guesses.emplace_back(
            "the time is stored in 32 bits: times are cl_ulong, from the event to the result");
    else if (reported % 256 == 0 && reported > measured / 2 && reported < measured * 2)
        // Floats of this size are multiples of it.
        failure.why.guesses.emplace_back(
            "the time is rounded, as by a float: keep it a cl_ulong, from the event to the result");
    else if (static_cast<double>(reported) > seen.seconds * 1e9 + double{added_time})
        failure.why.guesses.emplace_back(
            "the start is not subtracted: the whole call took less time");
    else if (std::ranges::none_of(units, is_in))
        failure.why.hints = Hints{
            "Which command's event do you query? Only the kernel's event has the kernel's time.",
            "Pass the event to enqueueNDRangeKernel. When the kernel has ended, query "
            "CL_PROFILING_COMMAND_START and CL_PROFILING_COMMAND_END of the event.",
            "The time is event.getProfilingInfo<CL_PROFILING_COMMAND_END>() minus "
            "event.getProfilingInfo<CL_PROFILING_COMMAND_START>(), after event.wait()."};
    for (const Unit& unit : units) {
        if (is_in(unit))
            failure.why.guesses.push_back(std::string("the time is in ") + unit.name +
                                          "; return nanoseconds, as the event has them");
    }
    test.fail(sum_program, failure);
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab1",
            "Scalar reduction",
            {{kernel_file, {kernel_name}, all_options()}},
            [](Case& test) { check_small(test, under_test, kernel_name); },
            examples(under_test, {{13, 8}, {16, 8}, {1, 4}, {4, 4}, {7, 2}}),
            effect(under_test)};
}

TEST_CASE("work-group size: the largest power of two that fits" * points(1) *
          hint("There are three limits: the device's, the kernel's, and local memory.",
               "Take the smaller of the device's and the kernel's limits, then go down in powers "
               "of two until one float for each work-item fits into local memory.",
               "Start with 1 and double it as long as twice the size is at most both limits, and "
               "twice the size times sizeof(cl_float) is at most CL_DEVICE_LOCAL_MEM_SIZE. Equal "
               "is fine.")) {
    Case test;
    // The device can pretend to allow at most what it really allows for this kernel.
    const std::size_t most = test.largest_work_group(sum_program, kernel_name);
    const std::size_t memory = test.device().local_memory;
    std::size_t before = 0;
    // A function that rejects the smallest size may throw, which says less than a wrong size.
    const std::size_t smallest = 2;
    std::vector<std::size_t> sizes = powers_of_two(2 * smallest, most);
    sizes.push_back(smallest);
    for (const std::size_t size : sizes) {
        for (const wire::Limits& limits :
             {wire::Limits{size, most, memory}, // the device is the limit
              {most, size, memory},             // the kernel is
              {most, most, size * 4},           // local memory is
              {most, most, size * 4 + 20}})     // ... and not used up
            before = check_choice(test, limits, before);
    }
    check_choice(test, {std::min<std::size_t>(most, 100), std::min<std::size_t>(most, 96), memory},
                 before);
}

TEST_CASE("work-group size: 1 is refused" * points(1) *
          hint("What does a group of one work-item have to add up?",
               "With one work-item per group there is nothing to reduce. Throw a "
               "std::runtime_error that says so.",
               "If the size that you found is 1, throw std::runtime_error with a message that "
               "contains \"work-group\". reduce() calls that function before it does anything "
               "else, and does not catch the exception.")) {
    Case test;
    check_choice(test, {64, 2, 4096}); // a function that refuses everything must not pass
    const wire::Limits limits{64, 1, 4096};
    test.set_limits(limits);
    const std::vector<float> values = whole_numbers(test.random(), 100);
    test.trial(describe(limits), [&] {
        check_refusal(test,
                      test.attempt(sum_program, "choose_work_group_size", std::string(kernel_name)),
                      "choose_work_group_size");
        const Run refused = test.attempt(sum_program, "reduce", values, Operator::sum);
        constexpr int invalid_kernel_name = -46;
        if (refused.seen.error_code == invalid_kernel_name) // that has nothing to do with the size
            test.call(sum_program, "reduce", values, Operator::sum);
        check_refusal(test, refused, "reduce");
    });
}

TEST_CASE(
    "sum: every length" * points(1) *
    hint(
        "Which lengths fail? Compare them with the work-group size.",
        "If full groups are right and others are not, look at the padding: the work-items beyond "
        "the last element still take part, with the operator's identity. If even full groups are "
        "wrong, draw the tree for a group of 4.",
        "Round the number of groups up: (n + size - 1) / size. Resize a copy of the data to groups "
        "* size with identity(op), and launch that many work-items. In the tree, work-item lid "
        "adds the element at lid + i as long as lid < i, and i begins with half of the group.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 70000))
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

TEST_CASE("minimum" * points(1) * minimum_hint()) {
    Case test;
    for (const std::size_t n : {1, 63, 65, 1000, 20011})
        check_extremes(test, under_test, Operator::minimum, n, 64);
}

TEST_CASE("maximum" * points(1) * maximum_hint()) {
    Case test;
    for (const std::size_t n : {1, 63, 65, 1000, 20011})
        check_extremes(test, under_test, Operator::maximum, n, 64);
}

TEST_CASE(
    "the kernel does the work and the event gives its time" * points(1) *
    hint("The message says which part is different: the launch, what is read back, or the time.",
         "Use one launch with one work-item per element and one float of local memory per "
         "work-item (cl::Local), and read back one partial sum per group.",
         "Pass a cl::Event as the last argument of enqueueNDRangeKernel. After the blocking read, "
         "the time is CL_PROFILING_COMMAND_END minus CL_PROFILING_COMMAND_START of that event.")) {
    Case test;
    const std::size_t size = 128;
    const std::size_t groups = 10;
    wire::Limits limits;
    limits.max_work_group_size = size;
    limits.added_time = added_time;
    test.set_limits(limits);
    for (const std::size_t n : {groups * size - 3, groups * size}) {
        const std::vector<float> values = whole_numbers(test.random(), n);
        let_host_combine(test, n, size);
        test.trial(parameters(n, size), [&] {
            explain_launch(test, kernel_name, n, size, 1);
            const Run run = test.compute(sum_program, "reduce", values, Operator::sum);
            const auto result = run.value<Reduction>();
            check_result(test, under_test, Operator::sum, values, result.value, 0, size);
            check_launches(
                test, sum_program, run,
                {kernel_name, size, groups * size, size * sizeof(float), groups * sizeof(float)});
            check_reported_time(test, run.seen, result.nanoseconds);
            test.require_kernels(sum_program, run, sizeof result.value, "reduce", values,
                                 Operator::sum);
        });
    }
}

TEST_CASE(
    "the work is shared" * points(1) *
    hint("How many additions does the busiest work-item do, and how many does the whole group do?",
         "In every step of the tree, half of the remaining work-items add one pair each.",
         "One loop halves a distance i from get_local_size(0) / 2 to 1. In each round the "
         "work-items below i combine their element with the one i places to the right, and then "
         "all wait at a barrier. No work-item loops over the elements of others.")) {
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

TEST_CASE(
    "time: what a tree should take" * points(1) *
    hint("Which work-items do nothing while others work?",
         "Let neighboring work-items read neighboring elements, and let half of the remaining "
         "work-items add in each step. If one work-item adds up everything, it is not a "
         "parallel reduction.",
         "Each work-item reads data[get_global_id(0)] once, the tree runs in local memory, "
         "and only work-item 0 writes to output. Create buffers, programs and kernels once "
         "for each call, not for each group.")) {
    Case test;
    check_time(
        test, under_test, kernel_name, reduction_bound,
        [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t /*size*/) {
            test.time(sum_program, limit, "reduce", values, Operator::sum);
        });
}
