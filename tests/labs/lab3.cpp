#include "grader/case.hpp"
#include "grader/explain.hpp"
#include "hosts.hpp"
#include "reductions.hpp"
#include "trials.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

using namespace grader;
using namespace reductions;

namespace {

constexpr const char* kernel_file = "lab3_reduction_complete.cl";
constexpr const char* vector_kernel = "reduction_vector";
constexpr const char* complete_kernel = "reduction_complete";
constexpr std::size_t lanes = 4;

const Program sum_program = program_for(kernel_file, Operator::sum);

const Hints hints_for_passes{
    "Take 40 float4 values and groups of 4. How many of them are left after each launch, and which "
    "buffer are they in?",
    "Each launch of reduction_vector leaves one float4 for each group. As long as these are more "
    "than one group can take, another launch of it follows.",
    "Before each launch, fill its input with identity(op), from the end of the float4 values that "
    "are left to the end of the last group. After it, the output becomes the next input."};

/// Whether the host fills the bytes from `begin` to `end` of a buffer before launch number `launch`, and
/// after the one before the last that used it: that one can have left its results there.
bool is_filled(const wire::CallReply& seen, int buffer, std::size_t launch, std::size_t begin,
               std::size_t end) {
    std::size_t earliest = 0;
    for (std::size_t i = 0; i + 1 < launch; ++i) {
        if (hosts::uses(seen.launches[i], buffer))
            earliest = i + 1;
    }
    return std::ranges::any_of(seen.transfers, [&](const auto& one) {
        return one.writes && one.buffer == buffer && one.launches >= earliest &&
               one.launches <= launch && one.bytes.offset <= begin &&
               one.bytes.offset + one.bytes.size >= end;
    });
}

/// The host's last fill of a buffer, or write behind its beginning, just before launch number `launch` or the
/// one before that; null if there is none.
const wire::Transfer* fill_before(const wire::CallReply& seen, int buffer, std::size_t launch) {
    const wire::Transfer* last = nullptr;
    for (const wire::Transfer& one : seen.transfers) {
        const bool fills = !one.pattern.empty() ||
                           (one.command == wire::HostCommand::write && one.bytes.offset != 0);
        if (fills && one.buffer == buffer && one.launches + 1 >= launch && one.launches <= launch)
            last = &one;
    }
    return last;
}

/// The float4 that a launch leaves for the next one, and the buffer with them.
struct Left {
    std::size_t vectors = 0;
    int buffer = 0; ///< 0: not known
};

KnownMistake wrong_pass(const std::string& text, const std::string& cause) {
    return {text, cause, hints_for_passes};
}

/// What is wrong with the rest of a buffer that launch number `i` reads beyond what is `left`.
std::string unfilled_rest(const wire::CallReply& seen, std::size_t i, std::size_t left,
                          Operator op) {
    const std::size_t vector_bytes = lanes * sizeof(float);
    const wire::GivenArgument* const data = hosts::argument(seen.launches[i], 0);
    const std::size_t items = wire::volume(seen.launches[i].global_size);
    if (items <= left)
        return "";
    const wire::Transfer* const fill = fill_before(seen, data->buffer, i);
    if (std::string wrong = hosts::wrong_pattern(seen, data->buffer); !wrong.empty())
        return wrong;
    const std::size_t begin = left * vector_bytes;
    const std::size_t end = items * vector_bytes;
    if (is_filled(seen, data->buffer, i, begin, end)) {
        const bool is_known = fill != nullptr && !fill->pattern.empty();
        const float with = is_known ? std::bit_cast<float>(fill->pattern[0]) : 0.0F;
        return !is_known || with == static_cast<float>(identity(op))
                   ? ""
                   : "is filled with " + grader::show(with) + " from byte " +
                         std::to_string(fill->bytes.offset) +
                         " on, not with identity(op), which is " + grader::show(identity(op));
    }
    if (data->size < items * vector_bytes)
        return "has room for " + count_of(data->size / vector_bytes, "float4 value") + ", but " +
               std::to_string(items) +
               " are read: round its size up to whole groups, and fill the rest with identity(op)";
    if (fill != nullptr)
        return "needs the identity in its bytes " + std::to_string(begin) + " to " +
               std::to_string(end - 1) + ", but you " +
               (fill->pattern.empty() ? "write " : "fill ") + count_of(fill->bytes.size, "byte") +
               " from byte " + std::to_string(fill->bytes.offset) +
               " on: " + wire::name_of(fill->command) + " gets the offset and the size in bytes";
    const int other = hosts::buffer_of(seen.launches[i - 1], 0);
    const auto fills = [&](int buffer) {
        return std::ranges::any_of(seen.transfers, [&](const wire::Transfer& one) {
            return !one.pattern.empty() && one.buffer == buffer;
        });
    };
    return "holds " + count_of(left, "float4 value") + " of results, but " + std::to_string(items) +
           " are read: before this launch, and in each pass, fill the rest of this buffer with "
           "identity(op)" +
           (fills(data->buffer) ? "; you fill it only before an earlier launch, which writes to it"
            : fills(other)
                ? "; you fill the other buffer, which launch " + std::to_string(i) + " reads"
            : std::ranges::all_of(seen.transfers, &std::vector<std::uint32_t>::empty,
                                  &wire::Transfer::pattern)
                ? "; this call fills nothing"
                : "");
}

constexpr const char* keeps_buffer =
    "because an argument keeps the buffer that was passed, even after a swap";

/// The call by which the host overwrites the results that launch number `i` reads; "" if there is none, or if
/// the host has read them before, and can write them again.
std::string call_that_overwrites(const wire::CallReply& seen, std::size_t i, const Left& left) {
    const int given = hosts::buffer_of(seen.launches[i], 0);
    const bool has_read =
        hosts::moves_data(seen) && hosts::bytes_read_after(seen, given, i - 1) != 0;
    return has_read || (left.buffer != 0 && given != left.buffer)
               ? ""
               : hosts::overwritten_by(seen, given, left.vectors * lanes * sizeof(float), i);
}

/// What is wrong with the buffer that launch number `i`, not the first, reads.
std::optional<KnownMistake> mistake_in_source(const wire::CallReply& seen, std::size_t i,
                                              const Left& left, Operator op) {
    const wire::Launch& launch = seen.launches[i];
    const int given = hosts::buffer_of(launch, 0);
    const std::string name = hosts::name_argument(launch, 0, "data");
    if (const std::string call = call_that_overwrites(seen, i, left); !call.empty())
        return hosts::wrong_argument(
            name + " no longer holds the results of the previous launch: " + call +
                " overwrites them",
            name);
    if (hosts::moves_data(seen))
        return {};
    const wire::Launch& before = seen.launches[i - 1];
    if (left.buffer != 0 && given != left.buffer && launch.kernel == before.kernel &&
        given == hosts::buffer_of(before, 0) && left.buffer == hosts::buffer_of(launch, 2))
        return hosts::wrong_argument(
            launch.kernel +
                " gets the same buffers as the previous launch: swap them after each "
                "launch, and then call setArg again, " +
                keeps_buffer,
            name);
    if (left.buffer != 0 && given != left.buffer)
        return hosts::wrong_argument(name + " is not the buffer with the results of the previous "
                                            "launch, which was argument 2 there",
                                     name);
    const std::string rest = seen.transfers.empty() ? "" : unfilled_rest(seen, i, left.vectors, op);
    if (rest.empty())
        return {};
    return wrong_pass(name + " " + rest, "the end of what a pass reads");
}

/// What is wrong with the sizes of the launch that reduces the `left` float4 to one number.
std::optional<KnownMistake> mistake_in_last_launch(const wire::Launch& launch, std::size_t left,
                                                   bool comes_after_others, std::size_t size) {
    const std::size_t items = wire::volume(launch.global_size);
    if (launch.work_group_size[0] != 0 && launch.global_size != launch.work_group_size)
        return wrong_pass(launch.kernel + " must run in one work-group: its global size is " +
                              std::to_string(items) + ", its local size " +
                              std::to_string(wire::volume(launch.work_group_size)) +
                              (left > size ? "; launch reduction_vector until one group is left"
                                           : "; one group is enough for the " +
                                                 count_of(left, "float4 value") + " left"),
                          "the number of groups of " + launch.kernel);
    if (launch.work_group_size[0] != 0 && items != size)
        return wrong_pass(launch.kernel + " must run in one work-group of " + std::to_string(size) +
                              ", the argument work_group_size, but has " +
                              count_of(items, "work-item"),
                          "the work-group size of " + launch.kernel);
    if (items >= left)
        return {};
    return wrong_pass(launch.kernel + " has " + count_of(items, "work-item") + ", but " +
                          count_of(left, "float4 value") + (left == 1 ? " is" : " are") +
                          " left for it: it comes too early" +
                          (comes_after_others && left <= lanes * size
                               ? ". A group leaves one float4, so each pass divides their number "
                                 "by the work-group size"
                               : ""),
                      "the number of float4 values for " + launch.kernel);
}

/// An argument that is still the buffer that the previous launch of the kernel got, although it is the
/// other one's turn.
std::optional<KnownMistake> stale_argument(const wire::Launch& launch, const wire::Launch& before) {
    const int data = hosts::buffer_of(launch, 0);
    const int output = hosts::buffer_of(launch, 2);
    if (data == 0 || data != output || launch.kernel != before.kernel)
        return {};
    for (const auto& [index, name] : {std::pair{0, "data"}, std::pair{2, "output"}}) {
        if (hosts::buffer_of(before, index) != data)
            continue;
        const std::string argument = hosts::name_argument(launch, index, name);
        return hosts::wrong_argument(
            argument +
                " is still the buffer of the previous launch, and it is both data and output now: "
                "in each pass, swap the two buffers and call setArg for both, " +
                keeps_buffer,
            argument);
    }
    return {};
}

/// What is wrong with the buffers of launch number `i`, whatever its sizes are.
std::optional<KnownMistake> mistake_in_buffers(const wire::CallReply& seen, std::size_t i,
                                               std::size_t n) {
    const wire::Launch& launch = seen.launches[i];
    if (i != 0)
        return stale_argument(launch, seen.launches[i - 1]);
    const std::size_t room = hosts::floats_in(launch, 0);
    if (launch.kernel != complete_kernel || room == 0 || room >= n)
        return {};
    return hosts::wrong_argument(hosts::name_argument(launch, 0, "data") + " has room for " +
                                     count_of(room, "element") + ", but there are " +
                                     std::to_string(n) +
                                     ": a pass is missing, or the number of groups is rounded down",
                                 "the size of data");
}

/// What a call of the lab's host code reduces.
struct Reduction {
    Operator op;
    std::size_t n;
    std::size_t size; ///< of a work-group
};

/// What the host did wrong, if it does not copy data between the launches.
std::optional<KnownMistake> mistake_of_host(const wire::CallReply& seen, const Reduction& task) {
    const auto& [op, n, size] = task;
    using Role = hosts::Buffer::Role;
    const std::size_t vector_bytes = lanes * sizeof(float);
    if (seen.launches.empty() || seen.launches.back().kernel != complete_kernel)
        return wrong_pass("the last launch must run " + std::string(complete_kernel) +
                              (seen.launches.empty()
                                   ? ", but there is none"
                                   : ", but it runs " + seen.launches.back().kernel),
                          "the kernel of the last launch");
    std::size_t left = (n + lanes - 1) / lanes; // float4 to reduce
    int source = 0; // the buffer with the results of the previous launch
    for (std::size_t i = 0; i < seen.launches.size(); ++i) {
        const wire::Launch& launch = seen.launches[i];
        const bool is_last = launch.kernel == complete_kernel;
        const std::size_t groups = (left + size - 1) / size;
        if (const auto in_buffers = mistake_in_buffers(seen, i, n))
            return hosts::in_launch(i, *in_buffers);
        hosts::Needs needs;
        needs.sizes.per_item = lanes;
        if (is_last) {
            if (auto wrong = mistake_in_last_launch(launch, left, i != 0, size))
                return hosts::in_launch(i, *wrong);
            needs.buffers = {{2, "result", Role::output, sizeof(float), 0, true}};
        } else {
            needs.sizes = {groups * size, size, size * vector_bytes, lanes};
            needs.buffers = {{2, "output", Role::other, groups * vector_bytes}};
        }
        needs.buffers.push_back(i == 0
                                    ? hosts::Buffer{0, "data", Role::input,
                                                    groups * size * vector_bytes, n * sizeof(float)}
                                    : hosts::Buffer{0, "data", Role::result});
        if (const auto wrong = hosts::find_mistake(seen, i, needs))
            return hosts::in_launch(i, *wrong);
        if (i != 0 && hosts::buffer_of(launch, 0) != 0) {
            if (auto wrong = mistake_in_source(seen, i, {left, source}, op))
                return hosts::in_launch(i, *wrong);
        }
        if (is_last)
            break;
        source = hosts::buffer_of(launch, 2);
        left = groups;
    }
    return {};
}

const Lab under_test{kernel_file, "", lanes,
                     [](Case& test, const Program& program, Operator op,
                        const std::vector<float>& values, std::size_t work_group_size) {
                         test.explain_host_by([&](const wire::CallReply& seen) {
                             return mistake_of_host(seen, {op, values.size(), work_group_size});
                         });
                         // A whole float4 is a mistake that one case reports.
                         test.let_host_see(lanes);
                         const Run run =
                             test.compute(program, "reduce", values, op, work_group_size);
                         if (values.size() > lanes * work_group_size)
                             check_launches(test, program, run,
                                            {vector_kernel, work_group_size, 0,
                                             work_group_size * lanes * sizeof(float)});
                         return run.value<float>();
                     }};

/// What is wrong with the launches of a reduction of `n` elements, or "".
std::string wrong_launches(const wire::CallReply& seen, std::size_t n, std::size_t size) {
    const auto& launches = seen.launches;
    if (launches.empty() || launches.back().kernel != complete_kernel)
        return "the last launch must run " + std::string(complete_kernel);
    const auto completed = std::ranges::count_if(
        launches, [](const auto& launch) { return launch.kernel == complete_kernel; });
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
        return std::to_string(n) + " elements are too many for one work-group of " +
               std::to_string(size) + "; launch " + vector_kernel + " first";
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
            [](Case& test) { check_small(test, under_test, vector_kernel); },
            examples(under_test, {{29, 2}, {32, 2}, {1, 2}, {8, 2}, {40, 4}}),
            effect(under_test)};
}

TEST_CASE(
    "sum: every length" * points(2) *
    hint("How many float4 values are left after the first pass, and how many does the next one "
         "read?",
         "After each pass, the number of float4 values left is the number of groups. Pad them with "
         "the identity to a whole number of groups.",
         "Before each pass, fill the end of the target buffer with identity(op), from groups * "
         "sizeof(cl_float4) to the end of the next pass's whole groups. Then launch, swap the two "
         "buffers, and continue with the smaller number of groups.")) {
    Case test;
    for (const std::size_t n : lengths_around(16 * lanes, 70000))
        check_whole_numbers(test, under_test, n, 16);
    check_signs(test, under_test, Operator::sum, 1000, 16);
}

TEST_CASE(
    "sum: every work-group size" * points(2) *
    hint("Count by hand how many passes your host makes for groups of 2, and for one large group.",
         "Small groups need many passes, large groups only the last one. The number of passes "
         "follows from the number of groups left.",
         "Repeat while there is more than one group: launch reduction_vector, then the next number "
         "of groups is (groups + work_group_size - 1) / work_group_size. If there is one group "
         "from the start, launch only reduction_complete.")) {
    Case test;
    check_every_group_size(test, under_test, vector_kernel);
}

TEST_CASE(
    "sum: millions of elements" * points(1) *
    hint(
        "What do the passes after the first one read that a short input does not show?",
        "If this fails but small inputs pass, a later pass may read what an earlier one left in "
        "the buffer.",
        "A buffer that is used again still holds the results of an earlier pass. Fill its end with "
        "the identity before every pass, not only before the first. Sizes need std::size_t.")) {
    Case test;
    check_millions(test, under_test, vector_kernel);
}

TEST_CASE("sum: floats that round" * points(1) * floats_hint()) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537, 300007})
        check_random_floats(test, under_test, n, 32);
}

TEST_CASE("minimum" * points(1) *
          hint("Which value do the unused places of your buffers hold?",
               "The tail of every buffer must hold identity(op), not 0, and reduction_complete "
               "must COMBINE the four lanes.",
               "Use identity(op) in enqueueFillBuffer and for the padding of the data. In "
               "reduction_complete, combine x with y, z with w, and both results with COMBINE; "
               "dot() is right only for a sum.")) {
    Case test;
    for (const std::size_t n : {1, 3, 63, 65, 4097, 20011})
        check_extremes(test, under_test, Operator::minimum, n, 16);
}

TEST_CASE("maximum" * points(1) * maximum_hint()) {
    Case test;
    for (const std::size_t n : {1, 3, 63, 65, 4097, 20011})
        check_extremes(test, under_test, Operator::maximum, n, 16);
}

TEST_CASE("one float is read back" * points(1) *
          hint("Compare the launches in the message with the passes that you intended.",
               "Launch reduction_vector until one work-group can take what is left. Then launch "
               "reduction_complete once with one work-group, and read back four bytes.",
               "The last launch has work_group_size as its global and its local size, and "
               "cl::Local(work_group_size * sizeof(cl_float4)). Its result buffer has one "
               "cl_float: read only that one.")) {
    Case test;
    for (const std::size_t n : {1, 5, 64, 1000, 50000}) {
        const std::size_t size = 16;
        const std::vector<float> values = whole_numbers(test.random(), n);
        test.trial(parameters(n, size), [&] {
            test.explain_host_by([&](const wire::CallReply& seen) {
                return mistake_of_host(seen, {Operator::sum, n, size});
            });
            const Run run = test.compute(sum_program, "reduce", values, Operator::sum, size);
            check_result(test, under_test, Operator::sum, values, run.value<float>(), 0, size);
            const std::string wrong = wrong_launches(run.seen, n, size);
            if (!wrong.empty())
                test.fail(sum_program, grader::wrong_launch(wrong));
            test.require_kernels(sum_program, run, sizeof(float), "reduce", values, Operator::sum,
                                 size);
        });
    }
}

TEST_CASE(
    "the work is shared" * points(1) *
    hint("How many additions does the busiest work-item do, and how many does the whole group do?",
         "In every step of the tree, half of the remaining work-items add one pair each.",
         "Use the tree of lab 2 in both kernels: one loop that halves a distance, with one "
         "addition of float4 values for each active work-item and a barrier in each round.")) {
    Case test;
    check_shared_work(test, under_test, vector_kernel);
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

TEST_CASE("time: what a tree should take" * points(1) *
          hint("How many work-groups does each launch have?",
               "Launch as many work-groups in each pass as there is work for. Only the last pass "
               "is a single group.",
               "The global size of a pass is groups * work_group_size. Leave the data on the "
               "device between the passes: no read, no new copy, no finish() in the loop.")) {
    Case test;
    check_time(test, under_test, vector_kernel, reduction_bound,
               [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t size) {
                   test.time(sum_program, limit, "reduce", values, Operator::sum, size);
               });
}
