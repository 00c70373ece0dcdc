#include "trials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <sstream>

using wire::FindingKind;

namespace findings {
namespace {

// The hints of a case are about the first kind of its list; the others have hints of their own.
constexpr std::array of_races{FindingKind::data_race, FindingKind::barrier_flag};
constexpr std::array of_locks{
    FindingKind::missing_fence,  FindingKind::plain_unlock,    FindingKind::unlock_not_held,
    FindingKind::never_unlocked, FindingKind::lock_step_hang,  FindingKind::no_retry,
    FindingKind::wrong_order,    FindingKind::barrier_in_lock, FindingKind::lock_not_free};
constexpr std::array of_barriers{FindingKind::divergent_barrier, FindingKind::endless_loop,
                                 FindingKind::unpromised_wait};
constexpr std::array of_bounds{FindingKind::out_of_bounds,    FindingKind::misaligned,
                               FindingKind::uninitialized,    FindingKind::division_by_zero,
                               FindingKind::reads_write_only, FindingKind::writes_read_only};
static_assert(of_races.size() + of_locks.size() + of_barriers.size() + of_bounds.size() ==
                  wire::kinds_of_findings.size(),
              "a finding that no case reports costs nothing");

} // namespace

const std::vector<FindingKind> races(of_races.begin(), of_races.end());
const std::vector<FindingKind> locks(of_locks.begin(), of_locks.end());
const std::vector<FindingKind> races_and_locks = [] {
    std::vector<FindingKind> all = races;
    all.insert(all.end(), locks.begin(), locks.end());
    return all;
}();
const std::vector<FindingKind> barriers(of_barriers.begin(), of_barriers.end());
const std::vector<FindingKind> bounds(of_bounds.begin(), of_bounds.end());
} // namespace findings

namespace hints {
grader::Hint local_races() {
    return grader::hint(
        "Find the two accesses that the message names. Should both use the same element? If not, "
        "an index is wrong. If so, what makes sure that the write comes before the read?",
        "If one work-item reads what another has written, put a barrier in between, with the flag "
        "for the memory they use: CLK_LOCAL_MEM_FENCE for local memory.",
        "You need a barrier after the elements are copied to local memory, and one in every round "
        "of each loop, outside the if. If a round reads and writes the same places, it needs two: "
        "one between reading and writing, and one at its end.");
}

grader::Hint barriers() {
    return grader::hint("Which work-items skip the barrier that the message names?",
                        "Every work-item of the group must reach every barrier. Put no barrier "
                        "inside an if that some work-items skip, and none after a return.",
                        "Let the if contain only the work, and put the barrier after it. A loop "
                        "with a barrier needs the same number of rounds in every work-item: let it "
                        "depend on get_local_size(0), not on get_local_id(0).");
}

grader::Hint bounds() {
    return grader::hint(
        "Compute the index at the line that the message names, for the first and for the last "
        "work-item that gets there.",
        "Keep every index within its array. Local memory has one element for each work-item, if "
        "the host passed that size; a buffer ends where the host's data ended.",
        "Check the sizes in bytes that the host passes, for buffers and for cl::Local. If only the "
        "last work-items are outside, guard the access: only those with a partner in the array may "
        "use it. If others are outside, too, the index itself is wrong.");
}
grader::Hints sizes() {
    return {"Compare the launch in the message with the sizes that the handout asks for.",
            "enqueueNDRangeKernel takes the global size first, the number of all work-items, and "
            "then the size of a work-group. Local memory is given in bytes.",
            "Divide the number of elements by the number of elements per group, and round up: that "
            "is the number of groups. The global size is the number of groups times the work-group "
            "size."};
}
grader::Hints launches() {
    grader::Hints hints = sizes();
    hints.back() += " Read back only what the next step needs.";
    return hints;
}

grader::Hints length_of_result() {
    return {"How many elements does the vector that your function returns have?",
            "Create it with its size before you read into it, std::vector<float> result(n): "
            "reserve() adds no element."};
}
} // namespace hints

std::string parameters(std::size_t n, std::size_t work_group_size) {
    return "n = " + std::to_string(n) + ", work-group size " + std::to_string(work_group_size);
}

std::vector<std::string> in_both(const std::vector<std::string>& some,
                                 const std::vector<std::string>& others) {
    std::vector<std::string> both;
    std::copy_if(some.begin(), some.end(), std::back_inserter(both), [&](const std::string& one) {
        return std::ranges::find(others, one) != others.end();
    });
    return both;
}

bool are_fractions(const std::vector<float>& values) {
    return std::ranges::all_of(values, [](float one) { return std::fabs(one) <= 1; });
}

std::vector<float> digits(grader::Random& random, std::size_t n) {
    std::vector<float> values(n);
    for (float& value : values)
        value = static_cast<float>(1 + random() % 9);
    return values;
}

std::vector<float> numbers_of_both_signs(grader::Random& random, std::size_t n) {
    std::vector<float> values = grader::whole_numbers(random, n);
    for (std::size_t i = 0; i < n; i += 1 + random() % 3)
        values[i] = -values[i];
    return values;
}

std::vector<std::size_t> group_sizes(grader::Case& test, const grader::Program& program,
                                     const std::string& kernel, std::size_t local_bytes) {
    const std::size_t by_memory = test.device().local_memory / local_bytes;
    return grader::powers_of_two(2, std::min(test.largest_work_group(program, kernel), by_memory));
}

std::size_t group_size_up_to(grader::Case& test, const grader::Program& program,
                             const std::string& kernel, std::size_t local_bytes, std::size_t most) {
    const auto sizes = group_sizes(test, program, kernel, local_bytes);
    return sizes.empty() ? 2 : std::min(sizes.back(), most);
}

std::size_t draw_group_size(grader::Random& random, std::size_t most) {
    return std::min(std::size_t{128} << random() % 3, most);
}

void watch_many_groups(grader::Case& test,
                       const std::function<void(std::size_t, std::size_t)>& call) {
    for (const SmallTrial& trial : {SmallTrial{(std::size_t{1} << 17) + 1, 2}, {many_elements, 64}})
        test.watch_ends(parameters(trial.n, trial.work_group_size) + first_and_last,
                        [&] { call(trial.n, trial.work_group_size); });
}

namespace {

/// What is wrong with the launches of a call, or "".
std::string wrong_launches(const wire::CallReply& seen, const Expected& expected) {
    bool first = true;
    for (const wire::Launch& launch : seen.launches) {
        if (launch.kernel != expected.kernel)
            continue;
        if (wire::volume(launch.work_group_size) != expected.work_group_size)
            return "the work-group size of " + launch.kernel + " must be " +
                   std::to_string(expected.work_group_size) + ", not " +
                   std::to_string(wire::volume(launch.work_group_size));
        if (first && expected.global_size != 0 &&
            wire::volume(launch.global_size) != expected.global_size)
            return "there must be " + std::to_string(expected.global_size) + " work-items in " +
                   (seen.launches.size() == 1 ? "" : "the first launch of ") + launch.kernel +
                   ", not " + std::to_string(wire::volume(launch.global_size));
        if (launch.local_memory < expected.local_bytes)
            return launch.kernel + " must be given " + std::to_string(expected.local_bytes) +
                   " bytes of local memory, not " + std::to_string(launch.local_memory);
        first = false;
    }
    return first ? "there must be a launch of " + expected.kernel : "";
}

/// What the host reads besides its result of `wanted` bytes; "" if that is not clear.
std::string extra_read(const wire::CallReply& seen, std::size_t wanted) {
    const wire::Transfer* extra = nullptr;
    bool has_result = false;
    for (const wire::Transfer& one : seen.transfers) {
        const bool is_read = !one.writes && one.launches != 0 && !wire::is_copy(one.command);
        if (is_read && one.bytes.size == wanted && !has_result)
            has_result = true;
        else if (is_read)
            extra = &one;
    }
    if (!has_result || extra == nullptr)
        return "";
    return "besides its result, it reads back " + grader::count_of(extra->bytes.size, "byte") +
           " after launch " + std::to_string(extra->launches) +
           ": leave on the device what the kernels need, and let kernels do all of the work";
}

/// Ends the case if the host has read back more or less than `wanted` bytes.
void check_reads(grader::Case& test, const grader::Program& program, const wire::CallReply& seen,
                 std::size_t wanted) {
    const std::size_t read = std::accumulate(seen.reads.begin(), seen.reads.end(), std::size_t{0});
    if (read == wanted)
        return;
    const std::string extra = extra_read(seen, wanted);
    const bool reads_early = std::ranges::any_of(seen.transfers, [](const wire::Transfer& one) {
        return !one.writes && one.launches == 0 && !wire::is_copy(one.command);
    });
    const std::string size =
        "it must read back " + std::to_string(wanted) + " bytes in all, but it reads " +
        (seen.reads.empty() && reads_early
             ? "only before the first launch: read the result after the last one"
         : seen.reads.empty()
             ? "nothing: the result is read by enqueueReadBuffer, or by enqueueMapBuffer "
               "with CL_MAP_READ"
             : std::to_string(read) + ": compare the size that enqueueReadBuffer gets, in bytes");
    grader::Failure failure{!extra.empty()       ? "one read too many"
                            : seen.reads.empty() ? "no result is read back"
                                                 : "wrong size of the read",
                            {"in your host code: " + (extra.empty() ? size : extra)}};
    failure.why.hints = hints::launches();
    failure.why.mistake = "the host reads back more or less than the result";
    failure.is_about_launches = true;
    test.fail(program, failure);
}

} // namespace

void check_launches(grader::Case& test, const grader::Program& program, const grader::Run& run,
                    const Expected& expected) {
    const std::string wrong = wrong_launches(run.seen, expected);
    if (!wrong.empty())
        test.fail(program, grader::wrong_launch(wrong, hints::launches()));
    if (expected.bytes_read != 0)
        check_reads(test, program, run.seen, expected.bytes_read);
}

void check_loads(grader::Case& test, const grader::Program& program,
                 const std::vector<wire::WorkCounts>& work, const ToLoad& to_load) {
    // In a tree a work-item loads its own word and one or two more per step; in the two sweeps of a
    // scan up to four: 28 of 64 words, 36 of 256. Half of them leaves room for a work-item that
    // adds up some words alone, but not for one that goes through all of them.
    const std::size_t by_steps = to_load.group_words * to_load.word_bytes / 2;
    for (const wire::WorkCounts& one : work) {
        // A work-item's chunk of the input, twice as much if every second work-item has none.
        // Repeated loads by others do not count as input.
        const std::size_t share =
            2 * std::min<std::size_t>(to_load.input_bytes, one.global_bytes_loaded) /
            std::max<std::size_t>(one.work_items, 1);
        if (one.busiest_item_bytes > share + by_steps)
            test.fail(program,
                      {"one work-item goes through " + std::to_string(one.busiest_item_bytes) +
                           " bytes of global and local memory; if the work-items shared the data "
                           "and added it up in steps, it would be at most " +
                           std::to_string(share + by_steps),
                       {grader::show_work(one)},
                       one.kernel});
    }
}

std::size_t steps_of(std::size_t size) {
    return static_cast<std::size_t>(std::lround(std::log2(size)));
}

std::uint64_t span_of_tree(std::size_t size, std::size_t elements, std::size_t lanes) {
    // One after another, a tree of 64 makes log2(64) of 63 additions (and the three that join the
    // lanes of a vector). Room for a scan, for compensated sums, which take several for each, and
    // for a few sums that one work-item adds at the end.
    return 5 * elements + lanes * (8 * steps_of(size) + 16);
}

void check_span(grader::Case& test, const grader::Program& program, const wire::WorkCounts& launch,
                std::uint64_t allowed) {
    if (launch.longest_span <= allowed)
        return;
    const bool most = launch.busiest_item_additions * 2 > launch.busiest_group_additions;
    test.fail(program,
              {most ? "one work-item does most of its group's additions"
                    : "the work-items of a group do not share its additions: the group does " +
                          std::to_string(launch.longest_span) +
                          " additions one after the other; at most " + std::to_string(allowed) +
                          " are allowed",
               {grader::show_work(launch)},
               launch.kernel});
}

std::uint64_t lone_additions(const wire::WorkCounts& launch, std::size_t elements) {
    // Offsets are added to the elements in groups of any size; one work-item adds to all lanes of a
    // float4.
    constexpr std::size_t lanes = 4;
    const bool one_by_one =
        launch.busiest_item_additions <= lanes && launch.work_items * lanes >= elements;
    return one_by_one ? 0 : launch.lone_additions;
}

std::size_t elements_to_time(const grader::Case& test, double bound) {
    // On a GPU, reading 2^22 elements takes 10 microseconds and more, and the elements pass through
    // the host.
    constexpr double tight = 2;
    const std::size_t most = std::size_t{1} << (bound < tight ? 23 : 22);
    constexpr std::size_t of_a_core = std::size_t{1} << 16;
    if (test.device().type == wire::DeviceType::gpu)
        return test.affordable(most);
    std::size_t elements = 2 * of_a_core; // a power of two: work-groups of any size divide it
    while (elements < most && elements < test.device().compute_units * of_a_core)
        elements *= 2;
    return test.affordable(elements);
}

grader::SpeedLimit against_copy(std::size_t elements, double bytes_per_element,
                                std::size_t work_group_size) {
    grader::SpeedLimit limit;
    limit.baseline_name = "a copy of the same data";
    limit.baseline = grader::copy_baseline(elements, work_group_size);
    limit.bound = std::numeric_limits<double>::infinity();
    limit.elements = elements;
    limit.bytes_per_element = bytes_per_element;
    limit.baseline_bytes_per_element = 2 * sizeof(float);
    return limit;
}

grader::SpeedLimit against_scalar_tree(std::size_t elements, double bytes_per_element,
                                       std::size_t work_group_size, double bound) {
    std::ostringstream source;
    source << "__kernel void baseline(__global const float* from, __global float* to,\n"
              "                       __local float* cells) {\n"
              "    const uint me = get_local_id(0);\n"
              "    cells[me] = from[get_global_id(0)];\n";
    for (std::size_t half = work_group_size / 2; half > 0; half /= 2)
        source << "    barrier(CLK_LOCAL_MEM_FENCE); if (me < " << half
               << ") cells[me] += cells[me + " << half << "];\n";
    source << "    if (me == 0) to[get_group_id(0)] = cells[0];\n}\n";

    grader::SpeedLimit limit;
    limit.baseline_name = "a scalar tree";
    limit.baseline.program = {source.str(), "-cl-std=CL1.2"};
    limit.baseline.kernel = "baseline";
    limit.baseline.buffers = {elements * sizeof(float), elements / work_group_size * sizeof(float)};
    limit.baseline.local_memory = work_group_size * sizeof(float);
    limit.baseline.global_size = elements;
    limit.baseline.work_group_size = work_group_size;
    limit.bound = bound;
    limit.elements = elements;
    limit.bytes_per_element = bytes_per_element;
    limit.baseline_bytes_per_element = sizeof(float);
    limit.too_slow = "too slow for the amount of work";
    return limit;
}
