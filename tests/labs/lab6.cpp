#include "grader/case.hpp"
#include "hosts.hpp"
#include "trials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

using namespace grader;

namespace {

const Program lock_program{"lab6_lock.cl", "-cl-std=CL1.2"};
const Program double_program{"lab6_atomic_double.cl", "-cl-std=CL1.2"};

/// The same layout as struct Summary in labs/lab6/lab6.hpp.
struct Summary {
    std::int32_t count;
    std::int32_t sum;
    std::int32_t maximum;
    std::int32_t position;

    bool operator==(const Summary& other) const = default;
};

constexpr Summary no_elements{0, 0, std::numeric_limits<std::int32_t>::min(),
                              std::numeric_limits<std::int32_t>::max()};

std::string to_text(const Summary& summary) {
    return "count " + std::to_string(summary.count) + ", sum " + std::to_string(summary.sum) +
           ", maximum " + std::to_string(summary.maximum) + " at " +
           std::to_string(summary.position);
}

std::vector<double> to_numbers(const Summary& summary) {
    return {double(summary.count), double(summary.sum), double(summary.maximum),
            double(summary.position)};
}

/// `n` numbers from -1000 to 1000 without 0, and one larger than all of them.
std::vector<std::int32_t> numbers(Random& random, std::size_t n) {
    std::vector<std::int32_t> values(n);
    for (std::int32_t& value : values) {
        const auto size = static_cast<std::int32_t>(1 + random() % 1000);
        value = (random() & 1U) != 0 ? size : -size;
    }
    values[random() % n] = 1001 + static_cast<std::int32_t>(random() % 1000);
    return values;
}

/// The same, all of them below 0, to detect a maximum that starts at 0.
std::vector<std::int32_t> negative_numbers(Random& random, std::size_t n) {
    std::vector<std::int32_t> values = numbers(random, n);
    for (std::int32_t& value : values)
        value -= 2001;
    return values;
}

/// The same, all of them above 0 and so large that no float can hold their sum.
std::vector<std::int32_t> large_numbers(Random& random, std::size_t n) {
    std::vector<std::int32_t> values = numbers(random, n);
    for (std::int32_t& value : values)
        value = 1001 * std::abs(value);
    return values;
}

/// The same, with the largest one at up to four places.
std::vector<std::int32_t> equal_maxima(Random& random, std::size_t n) {
    std::vector<std::int32_t> values = numbers(random, n);
    const std::int32_t largest = *std::ranges::max_element(values);
    for (int repetition = 0; repetition < 3; ++repetition)
        values[random() % n] = largest;
    return values;
}

/// Of equal maxima, the position is that of the first.
Summary reference(const std::vector<std::int32_t>& values) {
    const auto largest = std::ranges::max_element(values);
    return {static_cast<std::int32_t>(values.size()),
            std::accumulate(values.begin(), values.end(), std::int32_t{0}), *largest,
            static_cast<std::int32_t>(largest - values.begin())};
}

/// Whether `value` is a value that fills fresh buffers, plus at most `n` additions of 1.
bool grew_from_poison(std::int32_t value, std::size_t n) {
    const auto word = static_cast<std::uint32_t>(value);
    return word - wire::poison <= n || word - wire::finite_guard <= n;
}

/// Which words still have their first values, if all others are right; "" if all or none have.
std::string unwritten(const Summary& got, const Summary& expected) {
    using Limits = std::numeric_limits<std::int32_t>;
    struct Word {
        const char* name;
        std::int32_t got, expected, first;
    };
    std::vector<std::string> names;
    for (const Word& word : {Word{"count", got.count, expected.count, 0},
                             {"sum", got.sum, expected.sum, 0},
                             {"maximum", got.maximum, expected.maximum, Limits::min()},
                             {"position", got.position, expected.position, Limits::max()}}) {
        if (word.got == word.expected)
            continue;
        if (word.got != word.first)
            return {};
        names.emplace_back(word.name);
    }
    if (names.empty() || names.size() == 4)
        return {};
    std::string text = "the " + names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
        text += (i + 1 == names.size() ? " and the " : ", the ") + names[i];
    return text + (names.size() == 1
                       ? " still has its first value: does every element set it, does a merge "
                         "change it, and does the group write it to *summary?"
                       : " still have their first values: does every element set them, does "
                         "a merge change them, and does the group write them to *summary?");
}

/// Whether `got` is what an integer of 8 or 16 bits keeps of `expected`.
bool is_narrowed(std::int32_t got, std::int32_t expected) {
    return got == static_cast<std::int8_t>(expected) ||
           got == static_cast<std::uint8_t>(expected) ||
           got == static_cast<std::int16_t>(expected) ||
           got == static_cast<std::uint16_t>(expected);
}

/// What is wrong if a word lacks its upper bits; "" if it is something else.
std::string narrowed(const Summary& got, const Summary& expected) {
    const std::array<std::tuple<const char*, std::int32_t, std::int32_t>, 3> words{
        {{"count", got.count, expected.count},
         {"sum", got.sum, expected.sum},
         {"position", got.position, expected.position}}};
    std::string name;
    for (const auto& [word, is, should_be] : words) {
        if (is == should_be)
            continue;
        if (!is_narrowed(is, should_be) || !name.empty())
            return {};
        name = word;
    }
    return name.empty() || got.maximum != expected.maximum
               ? ""
               : "the " + name + " has lost its upper bits: is it a char or a short somewhere?";
}

/// The summary of elements `begin` to `end`.
Summary summary_of(const std::vector<std::int32_t>& values, std::size_t begin, std::size_t end) {
    const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
    Summary summary = reference({at(begin), at(end)});
    summary.position += static_cast<std::int32_t>(begin);
    return summary;
}

/// The summaries of the groups, in order.
std::vector<Summary> summaries_of(const std::vector<std::int32_t>& values, std::size_t group_size) {
    std::vector<Summary> all;
    for (std::size_t begin = 0; begin < values.size(); begin += group_size)
        all.push_back(summary_of(values, begin, std::min(begin + group_size, values.size())));
    return all;
}

/// The summary if each group merges that of only one work-item, the one with this local ID.
Summary of_one_item(const std::vector<std::int32_t>& values, std::size_t group_size,
                    std::size_t local_id) {
    Summary all = no_elements;
    for (std::size_t i = local_id; i < values.size(); i += group_size) {
        ++all.count;
        all.sum += values[i];
        if (values[i] > all.maximum) {
            all.maximum = values[i];
            all.position = static_cast<std::int32_t>(i);
        }
    }
    return all;
}

/// The count and the sum if each merge takes one for the other.
std::pair<std::int32_t, std::int32_t> swapped_sums(const std::vector<Summary>& groups) {
    std::int32_t count = 0;
    std::int32_t sum = 0;
    for (const Summary& group : groups) {
        const std::int32_t before = count;
        count = sum + group.count;
        sum = before + group.sum;
    }
    return {count, sum};
}

/// The maximum and its position if each merge takes one for the other where it reads the summary, or
/// where it writes it.
std::pair<std::int32_t, std::int32_t> swapped_maxima(const std::vector<Summary>& groups,
                                                     bool where_read) {
    using Limits = std::numeric_limits<std::int32_t>;
    std::int32_t maximum = Limits::min();
    std::int32_t position = Limits::max();
    for (const Summary& group : groups) {
        if (where_read)
            std::swap(maximum, position);
        if (group.maximum > maximum || (group.maximum == maximum && group.position < position))
            std::tie(maximum, position) = std::pair(group.maximum, group.position);
        if (!where_read)
            std::swap(maximum, position);
    }
    return {maximum, position};
}

/// Whether count and sum lack some groups, but maximum and position are right.
bool lacks_smaller_groups(const std::vector<Summary>& groups, const Summary& got,
                          const Summary& expected) {
    constexpr std::size_t most_groups = 8;
    if (groups.size() > most_groups || got.maximum != expected.maximum ||
        got.position != expected.position || got.count >= expected.count)
        return false;
    for (unsigned set = 1; set < 1U << groups.size(); ++set) {
        Summary merged{0, 0, expected.maximum, expected.position};
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const bool is_in = (set >> i & 1U) != 0 || groups[i].position == expected.position;
            merged.count += is_in ? groups[i].count : 0;
            merged.sum += is_in ? groups[i].sum : 0;
        }
        if (merged == got)
            return true;
    }
    return false;
}

/// What is wrong if a merge takes the words of the summary for one another, or a group merges the wrong
/// summary; "" if it is something else.
std::string mistake_in_merge(const std::vector<std::int32_t>& values, const Summary& got,
                             const Summary& expected, std::size_t group_size) {
    const std::vector<Summary> groups = summaries_of(values, group_size);
    const auto smallest =
        std::ranges::min_element(groups, {}, [](const Summary& one) { return one.position; });
    Summary smallest_position = expected;
    smallest_position.position = smallest->position;
    if (got == smallest_position)
        return "this is the smallest position of all groups: take a position only together with "
               "its maximum";
    if (group_size > 1 && got == of_one_item(values, group_size, group_size - 1))
        return "each group merges the summary of its last work-item; the group's summary is in "
               "summaries[0]";
    if (got == of_one_item(values, group_size, 0))
        return "each group merges only the element of work-item 0: nothing that the tree merges "
               "reaches summaries[0]";
    if (values.size() > 1 && got == summary_of(values, 0, values.size() - 1))
        return "the last element is missing";
    if (groups.size() > 1 && lacks_smaller_groups(groups, got, expected))
        return "count and sum lack groups whose maximum is not the largest: each group must add "
               "its count and its sum, whatever its maximum is";
    if (groups.size() > 1 && got.maximum == expected.maximum && got.position == expected.position &&
        std::pair(got.count, got.sum) == swapped_sums(groups))
        return "count and sum are swapped where the summary is read or written; its words are "
               "count, sum, maximum and position";
    const std::pair maximum(got.maximum, got.position);
    if (got.count == expected.count && got.sum == expected.sum &&
        (maximum == swapped_maxima(groups, true) || maximum == swapped_maxima(groups, false)))
        return "maximum and position are swapped where the summary is read or written; its words "
               "are count, sum, maximum and position";
    return {};
}

/// Whether the count comes from merges by more work-items than one of each group; "" if it does not.
std::string merges_of_items(std::int32_t count, std::size_t n, std::size_t group_size) {
    std::size_t whole = 0; // each work-item with an element merges the summary of its group
    std::size_t own = 0;   // each work-item merges its own place of summaries
    for (std::size_t begin = 0; begin < n; begin += group_size) {
        const std::size_t elements = std::min(group_size, n - begin);
        whole += elements * elements;
        std::vector<std::size_t> counts(group_size);
        std::fill_n(counts.begin(), elements, 1);
        for (std::size_t distance = group_size / 2; distance > 0; distance /= 2) {
            for (std::size_t i = 0; i < distance; ++i)
                counts[i] += counts[i + distance];
        }
        own += std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    }
    if (n < 2 || count < 0)
        return "";
    if (static_cast<std::size_t>(count) == whole)
        return "every work-item with an element has merged the group's summary; only one "
               "work-item of the group should";
    if (static_cast<std::size_t>(count) == own)
        return "all places of summaries have been merged; only summaries[0] should be, because it "
               "is the group's summary";
    return "";
}

/// What a wrong count suggests; "" for nothing.
std::string mistake_in_count(const std::vector<std::int32_t>& values, const Summary& got,
                             const Summary& expected, std::size_t group_size) {
    const std::size_t n = values.size();
    const std::size_t groups = (n + group_size - 1) / group_size;
    const bool only_count = got.sum == expected.sum && got.maximum == expected.maximum &&
                            got.position == expected.position;
    if (only_count && static_cast<std::size_t>(got.count) == groups)
        return "the count is that of the groups: each group must add the count in summaries[0]";
    if (groups > 1 && !only_count && static_cast<std::size_t>(got.count) <= group_size)
        return "only one group is in the summary: one work-item of every group must merge, and a "
               "merge must add to the summary, not replace it";
    if (static_cast<std::size_t>(got.count) == groups * group_size)
        return "the work-items beyond the last element are counted, too: each group must add the "
               "count in summaries[0]";
    if (got.count == expected.count * static_cast<std::int32_t>(group_size))
        return "every work-item has merged the group's summary; only one work-item of the group "
               "should";
    const std::int64_t first_group = std::accumulate(
        values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(n, group_size)),
        std::int64_t{0});
    if (groups > 1 && static_cast<std::size_t>(got.count) == group_size * group_size &&
        got.sum == first_group * static_cast<std::int64_t>(group_size))
        return "every work-item of group 0 has merged the group's summary, and no other group has: "
               "one work-item of each group must merge, the one with get_local_id(0) == 0";
    if (only_count)
        return "only the count is wrong: check its first value, how a merge adds to it, and how it "
               "gets into the summary";
    if (got.count < expected.count)
        return "elements are missing: groups overwrote each other's merge (two held the lock at "
               "once), or did not merge";
    if (got.count > expected.count)
        return "the count is larger than the number of elements: a group was merged more than once";
    return {};
}

std::string mistake(const std::vector<std::int32_t>& values, const Summary& got,
                    const Summary& expected, std::size_t group_size) {
    const std::size_t n = values.size();
    const bool only_position =
        got.count == expected.count && got.sum == expected.sum && got.maximum == expected.maximum;
    const auto position = static_cast<std::size_t>(got.position); // large if it is below 0
    if (grew_from_poison(got.count, n))
        return "the summary was never initialized: the host must write count 0, sum 0, the "
               "smallest int and the largest int before the kernel adds to it";
    std::vector<std::int32_t> bits(n);
    std::ranges::transform(values, bits.begin(), [](std::int32_t value) {
        return std::bit_cast<std::int32_t>(static_cast<float>(value));
    });
    if (got == reference(bits))
        return "your host code passes floats, and the kernel reads their bits as ints: the "
               "elements are "
               "cl_int";
    if (only_position && got.position == -1)
        return "the position must start with the largest int: -1 is smaller than every index";
    if (only_position && expected.maximum == std::numeric_limits<std::int32_t>::min())
        return "all elements are INT_MIN, like the initial maximum: if two maxima are equal, keep "
               "the smaller position; a comparison with > alone does not do that";
    if (only_position && position < n && values[position] == expected.maximum)
        return "the maximum occurs more than once: the smallest index counts, whichever group "
               "merges first";
    for (const std::string& known : {unwritten(got, expected), narrowed(got, expected),
                                     mistake_in_merge(values, got, expected, group_size),
                                     merges_of_items(got.count, n, group_size)}) {
        if (!known.empty())
            return known;
    }
    if (got.count == 0)
        return "no group has merged its summary, or the merge changes only a private copy: write "
               "it back to *summary";
    if (only_position && got.position == got.maximum)
        return "the position is the maximum itself, not its index";
    if (only_position)
        return "only the position is wrong: it must be the maximum's index in the whole input";
    const bool is_there = std::ranges::count(values, got.maximum) != 0;
    if (!is_there && got.maximum == -std::numeric_limits<std::int32_t>::max())
        return "initialize the maximum to the smallest int, CL_INT_MIN: -CL_INT_MAX is greater by "
               "1";
    if (is_there && got.maximum != expected.maximum &&
        static_cast<float>(got.maximum) == static_cast<float>(expected.maximum))
        return "the maxima are equal as floats, which keep only 24 bits: compare them as ints";
    if (got.count == expected.count && got.sum == expected.sum)
        return std::string("count and sum are right, but ") +
               (got.position == expected.position ? "the maximum is not"
                                                  : "maximum and position are not") +
               ": are all four words written under the lock, and does the maximum start with the "
               "smallest int?";
    return mistake_in_count(values, got, expected, group_size);
}

/// The same for a summary that is right in the usual schedule.
std::string mistake_in_schedule(const std::vector<std::int32_t>& values, const Summary& got,
                                const Summary& expected, bool is_in_opposite_order) {
    const auto position = static_cast<std::size_t>(got.position); // large if it is below 0
    const bool is_equal = got.sum == expected.sum && got.maximum == expected.maximum &&
                          position < values.size() && values[position] == expected.maximum;
    if (is_in_opposite_order && !is_equal) // no group comes between what another one does
        return "the result depends on the order in which the groups merge: does one group set a "
               "first value, or is a comparison right only if the groups come in their order?";
    if (got.count < expected.count)
        return "merges are missing: another work-item changes the summary after this one has read "
               "it, or a work-item does not wait until it has the lock";
    if (got.count > expected.count)
        return "the count is larger than the number of elements: a group was merged more than once";
    if (is_equal)
        return "the maximum occurs more than once: the smallest index counts, whichever group "
               "merges first";
    return "some words of the summary lack a merge that others contain: a work-item must hold the "
           "lock while it reads and writes all four of them";
}

/// Lets the next failure say what the host did wrong.
void explain_host(Case& test, std::size_t n, std::size_t size, bool is_double) {
    test.explain_host_by([=](const wire::CallReply& seen) -> std::optional<KnownMistake> {
        if (seen.launches.size() != 1)
            return {};
        using Role = hosts::Buffer::Role;
        const std::size_t items = (n + size - 1) / size * size;
        const std::size_t element_bytes = is_double ? sizeof(double) : sizeof(std::int32_t);
        const wire::GivenArgument* const data = hosts::argument(seen.launches.front(), 0);
        const std::size_t room = data == nullptr ? n : std::max(n, data->size / element_bytes);
        hosts::Needs needs{{items, size}};
        needs.buffers = {{0, "data", Role::input, n * element_bytes, n * element_bytes}};
        needs.numbers = {{1, "n", n, room, "the number of elements"}};
        if (is_double) {
            needs.buffers.push_back({2, "total", Role::both, sizeof(double), sizeof(double)});
        } else {
            needs.sizes.local_bytes = size * sizeof(Summary);
            needs.buffers.push_back(
                {2, "mutex", Role::changed, sizeof(std::int32_t), sizeof(std::int32_t)});
            needs.buffers.push_back({3, "summary", Role::both, sizeof(Summary), sizeof(Summary)});
        }
        return hosts::find_mistake(seen, 0, needs);
    });
}

/// What explains `first`, the mistake in the result of `n` elements, and the results of two further inputs, too:
/// a small input alone has several explanations. "" if nothing does.
std::string explain_all(Case& test, const std::string& first, std::size_t n, std::size_t size) {
    // In several groups, the last of which is full if it is full in the first input.
    const std::size_t last = n % size == 0 ? size : n % size;
    std::vector<std::string> found; // for each wrong result
    const bool returned = test.examine([&] {
        for (const std::size_t groups : {3, 4}) {
            const std::size_t other = (groups - 1) * size + last;
            const std::vector<std::int32_t> values = numbers(test.random(), other);
            explain_host(test, other, size, false);
            const auto next =
                test.compute(lock_program, "summarise", values, size).value<Summary>();
            const Summary expected = reference(values);
            if (!(next == expected))
                found.push_back(mistake(values, next, expected, size));
        }
    });
    if (!returned)
        return {};
    if (found.size() == 2 && found.front() == found.back() && n <= size)
        return found.front();
    return std::ranges::all_of(found, [&](const std::string& one) { return one == first; }) ? first
                                                                                            : "";
}

/// What is wrong with the first values of the summary; "" if nothing is, or if it is not known.
std::string wrong_first_summary(Case& test, const std::vector<std::int32_t>& values,
                                std::size_t work_group_size) {
    constexpr std::size_t summary = 3;
    Summary before = no_elements;
    const Summary first = first_value(test, summary, no_elements, [&] {
        before = test.call(lock_program, "summarise", values, work_group_size).value<Summary>();
        test.call(lock_program, "summarise", values, work_group_size);
    });
    if (first == no_elements || grew_from_poison(first.count, 0))
        return "";
    return first == before
               ? "the summary still holds the result of the previous call: the host must write its "
                 "first values before each launch, and a static variable keeps the old ones"
               : "your host code starts the summary with " + to_text(first) +
                     "; it must start with count 0, sum 0, maximum CL_INT_MIN and position "
                     "CL_INT_MAX";
}

Run try_summary(Case& test, const std::vector<std::int32_t>& values, std::size_t work_group_size) {
    explain_host(test, values.size(), work_group_size, false);
    Run run = test.compute(lock_program, "summarise", values, work_group_size);
    const auto got = run.value<Summary>();
    const Summary expected = reference(values);
    test.show_result(to_numbers(expected), to_numbers(got));
    if (!(got == expected)) {
        test.end_if_only_judged();
        Failure failure{"wrong summary",
                        {"expected " + to_text(expected), "got      " + to_text(got)},
                        "summarise"};
        failure.why.symptom = failure.what;
        failure.why.is_basic = values.size() <= 2 * work_group_size;
        if (grew_from_poison(got.count, values.size()))
            failure.why.hints = Hints{
                "What does the buffer of the summary hold when the kernel starts?",
                "The host must write a first summary into the buffer before the launch, in every "
                "call: create it with CL_MEM_COPY_HOST_PTR, or use enqueueWriteBuffer.",
                "The first summary has count 0, sum 0, the smallest int as its maximum, and "
                "the largest int as its position."};
        if (test.is_in_other_schedule())
            failure.why.guesses = {
                mistake_in_schedule(values, got, expected, test.is_in_opposite_order())};
        else if (const std::string by_host = wrong_first_summary(test, values, work_group_size);
                 !by_host.empty()) {
            failure.kernel.clear();
            failure.why.mistake = by_host;
        } else
            failure.why.mistake = explain_all(test, mistake(values, got, expected, work_group_size),
                                              values.size(), work_group_size);
        if (!failure.why.mistake.empty())
            failure.why.guesses = {failure.why.mistake};
        test.fail(lock_program, failure);
    }
    check_launches(test, lock_program, run,
                   {"summarise", work_group_size, 0, work_group_size * sizeof(Summary)});
    return run;
}

Run check_summary(Case& test, const std::vector<std::int32_t>& values,
                  std::size_t work_group_size) {
    return test.trial(parameters(values.size(), work_group_size),
                      [&] { return try_summary(test, values, work_group_size); });
}

/// More calls make it more likely that work-items meet at the same word. Makes up to ten calls
/// within about one second, or a quarter on a GPU: there, thousands of work-items at one word are
/// slow, but show a mistake at once.
template <class Call> void repeat_for_contention(const Case& test, const Call& call) {
    const double enough = test.device().type == wire::DeviceType::gpu ? 0.25 : 1;
    double seconds = 0;
    for (int repetition = 0; repetition < 10 && seconds < enough; ++repetition)
        seconds += call().seen.seconds;
}

/// Why this device cannot add doubles atomically, or "".
std::string missing_for_doubles(const wire::DeviceInfo& device) {
    for (const char* extension : {"cl_khr_fp64", "cl_khr_int64_base_atomics"}) {
        if (std::ranges::find(device.extensions, extension) == device.extensions.end())
            return std::string("this device has no ") + extension +
                   "; ./harness --list-devices shows others";
    }
    return {};
}

std::uint64_t sum_of_bits(const std::vector<double>& values) {
    return std::accumulate(
        values.begin(), values.end(), std::uint64_t{0},
        [](std::uint64_t sum, double value) { return sum + std::bit_cast<std::uint64_t>(value); });
}

std::vector<double> sums_of_groups(const std::vector<double>& values, std::size_t group_size) {
    std::vector<double> sums;
    for (auto rest = std::span(values); !rest.empty();
         rest = rest.subspan(std::min(group_size, rest.size()))) {
        const auto group = rest.first(std::min(group_size, rest.size()));
        sums.push_back(std::accumulate(group.begin(), group.end(), 0.0));
    }
    return sums;
}

/// Whether `sum` can be that of small numbers one of which is the bits of a double as an integer.
bool looks_like_bits(double sum) {
    constexpr double bits_of_2 = 0x1p62;
    constexpr double bits_of_minus_2 = 0x1.8p63;
    constexpr double most = 0x1p60; // exponents up to 2^256
    return (sum >= bits_of_2 && sum < bits_of_2 + most) ||
           (sum >= bits_of_minus_2 && sum < bits_of_minus_2 + most);
}

/// The first value of the total; 0 if it is not known.
double first_total(Case& test, const std::vector<double>& values, std::size_t work_group_size) {
    constexpr std::size_t total = 2;
    return first_value(test, total, 0.0,
                       [&] { test.call(double_program, "sum_double", values, work_group_size); });
}

struct WrongSum {
    double expected;
    double got;
    double magnitudes; ///< of the elements, added up
    double allowed;    ///< the error bound, 0 where every order is exact
};

/// What leads to this sum of `values`; "" if that is not known.
std::string mistake_in_sum(Case& test, const std::vector<double>& values, const WrongSum& sum,
                           std::size_t work_group_size) {
    const auto& [expected, got, magnitudes, allowed] = sum;
    const bool is_one = values.size() == 1;
    const auto bits = std::bit_cast<std::uint64_t>(got);
    const double as_single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (bits >> 32U == 0 && got != 0 && as_single == expected)
        return "only the lower 32 bits of the sum are used, as in a float: treat the sum as a "
               "64-bit ulong, with as_ulong() and atom_cmpxchg()";
    if (got != 0 && std::fabs(got) < std::numeric_limits<double>::min())
        return "the sum is converted to a ulong: keep its bits, with as_ulong() and as_double()";
    if (const double first = first_total(test, values, work_group_size); first != 0)
        return "your host code starts the total with " + show(first) + "; it must start with 0";
    if (got == 0)
        return "nothing was added, or only the lower 32 bits of each element, which are 0 here: "
               "does a 32-bit type hold the bits of a double?";
    if (!is_one && looks_like_bits(got))
        return "the bits of the old sum are converted as if they were a whole number: as_double() "
               "reinterprets the bits without converting them";
    if (!is_one && (bits == sum_of_bits(values) ||
                    bits == sum_of_bits(sums_of_groups(values, work_group_size))))
        return "the bits of the doubles were added as if they were whole numbers";
    if (!is_one && expected != 0 && std::ranges::find(values, got) != values.end())
        return test.is_in_other_schedule()
                   ? "the sum is one element alone: its work-item has overwritten what the others "
                     "have added since it read the sum"
                   : "only one element was added: each attempt must add to the old sum, and the "
                     "loop must repeat as long as the compare-and-swap fails";
    if (allowed == 0 && got == 2 * expected)
        return "every element was added twice";
    const double error = std::fabs(got - expected);
    if (allowed == 0 ? error <= 0x1p-22 * std::fabs(expected) // much less than an element
                     : error <= summation_bound(values.size(), magnitudes))
        return test.is_in_other_schedule()
                   ? "additions were lost, or one sum has bits of two others: one atomic operation "
                     "must replace all 64 bits, and only if no other work-item has changed them"
                   : "somewhere, a value is stored in a float, which has only 24 significant bits";
    // Every element is positive, and has a half.
    if (allowed == 0 && !is_one && got < expected && got >= *std::ranges::min_element(values) &&
        std::fmod(2 * got, 1) == 0)
        return "additions were lost, because another work-item wrote the sum between the read and "
               "the write of this one";
    return "";
}

/// `allowed` is the error bound, 0 where every order is exact.
Run check_sum(Case& test, const std::vector<double>& values, double allowed,
              std::size_t work_group_size) {
    explain_host(test, values.size(), work_group_size, true);
    Run run = test.compute(double_program, "sum_double", values, work_group_size);
    const auto got = run.value<double>();
    double expected = 0;
    double magnitudes = 0;
    for (const double value : values) {
        expected += value;
        magnitudes += std::fabs(value);
    }
    const bool both_nan = std::isnan(got) && std::isnan(expected);
    if (!both_nan && !(std::fabs(got - expected) <= allowed)) { // a single NaN is wrong, too
        test.end_if_only_judged();
        Failure failure{"wrong sum", {compare_values(expected, got, allowed)}};
        failure.why.hints = hints_for_value(expected, got);
        failure.why.symptom = allowed == 0 ? "wrong sum" : "wrong sum of doubles that round";
        failure.why.wider_symptom = "wrong sum";
        failure.why.is_basic = values.size() <= 2 * work_group_size;
        const std::string guess =
            mistake_in_sum(test, values, {expected, got, magnitudes, allowed}, work_group_size);
        if (!guess.empty())
            failure.why.guesses = {guess};
        test.fail(double_program, failure);
    }
    return run;
}

std::vector<double> whole_doubles(Random& random, std::size_t n) {
    std::vector<double> values(n);
    std::ranges::generate(values,
                          [&] { return static_cast<double>(1 + random() % 1000000) + 0.5; });
    return values;
}

/// One trial with doubles that need not add up exactly.
void check_rounding_sum(Case& test, std::size_t n, std::size_t work_group_size) {
    const std::vector<float> floats = random_floats(test.random(), n);
    std::vector<double> values(floats.begin(), floats.end());
    double magnitudes = 0;
    for (double& value : values) {
        value /= 3; // so that it has more bits than a float
        magnitudes += std::fabs(value);
    }
    // gamma_n of bounds.hpp for the unit roundoff of double, 2^-53, twice: the reference rounds,
    // too.
    const double allowed = 2 * summation_bound(n, magnitudes) * 0x1p-29;
    test.trial(parameters(n, work_group_size) + ", doubles that round",
               [&] { check_sum(test, values, allowed, work_group_size); });
}

void check_whole_sum(Case& test, std::size_t n, std::size_t work_group_size) {
    const std::vector<double> values = whole_doubles(test.random(), n);
    test.trial(parameters(n, work_group_size),
               [&] { check_sum(test, values, 0, work_group_size); });
}

/// The work-group sizes that sum_double allows if its local memory has an element for each work-item.
std::vector<std::size_t> sizes_for_doubles(Case& test) {
    return group_sizes(test, double_program, "sum_double", sizeof(double));
}

/// The kernel whose groups must share the work.
struct Parts {
    const Program& program;
    std::string kernel;
    std::size_t element_bytes;
};

const Parts summary_parts{lock_program, "summarise", sizeof(std::int32_t)};
const Parts double_parts{double_program, "sum_double", sizeof(double)};

/// A group that merges the results of all groups, 16 bytes each, loads 336 bytes with its own
/// elements and the summary; the input has 1024. The sizes are also small because an interpreted
/// lock that is taken for each element is retried very often.
constexpr std::size_t parts_groups = 16;
constexpr std::size_t parts_size = 16;

/// What is wrong with how the groups share the work, or "".
std::string unshared(const Parts& parts, const std::vector<wire::WorkCounts>& work) {
    const auto first =
        std::ranges::find_if(work, [&](const auto& one) { return one.kernel == parts.kernel; });
    if (first == work.end())
        return "there must be a launch of " + parts.kernel;
    if (first->groups_with_atomics == 0)
        return "no group has an atomic operation on global memory, but groups run at the same "
               "time: take the lock, or add with a compare-and-swap";
    if (first->groups_with_atomics < first->groups)
        return "only " + std::to_string(first->groups_with_atomics) + " of " +
               std::to_string(first->groups) + " groups have an atomic operation on global memory";
    const std::size_t own = parts_size * parts.element_bytes;
    if (first->idlest_group_bytes < own)
        return "one group loads " + std::to_string(first->idlest_group_bytes) +
               " different bytes of global memory; its own elements are " + std::to_string(own);
    const std::size_t all = parts_groups * own;
    const auto busiest =
        std::ranges::max_element(work, [](const wire::WorkCounts& a, const wire::WorkCounts& b) {
            return a.busiest_group_bytes < b.busiest_group_bytes;
        });
    if (busiest->busiest_group_bytes > all / 2)
        return "one group of " + busiest->kernel + " loads " +
               std::to_string(busiest->busiest_group_bytes) +
               " different bytes of global memory; the whole input is " + std::to_string(all);
    return {};
}

/// Ends the case with a failure unless all groups of the launches that `body` makes do their part,
/// with any lock or atomic operation. Checks nothing if kernels cannot be interpreted.
void check_parts(Case& test, const Parts& parts, const std::function<void()>& body) {
    if (!test.can_interpret())
        return;
    const auto work = test.count_work(body);
    const std::string wrong = unshared(parts, work);
    if (!wrong.empty())
        test.fail(parts.program,
                  {"each group must summarize or add up its own elements and merge "
                   "the result atomically",
                   {wrong},
                   parts.kernel,
                   {.hints = Hints{"Which groups do nothing, or everything?",
                                   "Each group works on its own elements and merges its own "
                                   "result: no group goes through the whole input.",
                                   "Every work-item takes the element of its global id. One "
                                   "work-item of each group then merges the group's result "
                                   "under the lock, or adds with an atomic operation."}}});
}

void check_summary_parts(Case& test) {
    check_parts(test, summary_parts, [&] {
        check_summary(test, numbers(test.random(), parts_groups * parts_size), parts_size);
    });
}

void check_double_parts(Case& test) {
    const std::size_t n = parts_groups * parts_size;
    check_parts(test, double_parts, [&] { check_whole_sum(test, n, parts_size); });
}

/// Several groups, one of them not full, for the analysis.
void check_small(Case& test) {
    for (const SmallTrial& trial : {SmallTrial{1, 2}, {12, 4}, {37, 8}, {40, 2}, {300, 64}})
        check_summary(test, numbers(test.random(), trial.n), trial.work_group_size);
    // A kernel may behave differently with other numbers or with many groups.
    check_summary(test, large_numbers(test.random(), 100), 32);
    check_summary(test, negative_numbers(test.random(), 512), 128);
    check_summary(test, std::vector<std::int32_t>(12, -7), 4); // groups in any order, one position
    // Two equal maxima after a smaller one, which the first group has: between reading the position
    // and the maximum, another group can write both.
    check_summary(test, {1, 2, 0, 1, 9, 3, 2, 1, 9, 1, 1, 1}, 4);
    check_summary(test, numbers(test.random(), hundreds_of_groups * 2 - 1), 2);
    watch_many_groups(test, [&](std::size_t n, std::size_t size) {
        try_summary(test, numbers(test.random(), n), size);
    });
    // One group of each larger size: an array can be too small for it, or it can have a special
    // step.
    for (const std::size_t size : group_sizes(test, lock_program, "summarise", sizeof(Summary))) {
        if (size > 128 && size <= 1024)
            check_summary(test, numbers(test.random(), size - 1), size);
    }
    if (!missing_for_doubles(test.device()).empty())
        return;
    for (const SmallTrial& trial : {SmallTrial{1, 2}, {12, 4}, {100, 16}})
        check_whole_sum(test, trial.n, trial.work_group_size);
    // A value that changed and changed back looks as if it had never changed.
    for (const SmallTrial& trial : {SmallTrial{4, 2}, {12, 4}}) {
        std::vector<double> values = whole_doubles(test.random(), trial.n);
        for (std::size_t i = 1; i < values.size(); i += 2)
            values[i] = -values[i - 1];
        test.trial(parameters(trial.n, trial.work_group_size) +
                       ", every second element is the negative of the one before it",
                   [&] { check_sum(test, values, 0, trial.work_group_size); });
    }
    // With fewer bits than a double has, a small change to a large sum is lost.
    std::vector<double> beside_large(12, 1);
    beside_large.front() = 0x1p40;
    test.trial(parameters(12, 4) + ", one element of 2^40 and eleven of 1",
               [&] { check_sum(test, beside_large, 0, 4); });
    // A total that has hardly changed has changed.
    std::vector<double> small(12, 0x1p-40);
    small.back() = 1;
    test.trial(parameters(12, 4) + ", eleven elements of 2^-40 and one of 1",
               [&] { check_sum(test, small, 0, 4); });
    check_rounding_sum(test, 200, 64);
    // More additions than a limited number of tries can get by with.
    check_rounding_sum(test, 2 * hundreds_of_groups, 2);
    watch_many_groups(test, [&](std::size_t n, std::size_t size) {
        check_sum(test, whole_doubles(test.random(), n), 0, size);
    });
    for (const std::size_t size : sizes_for_doubles(test)) {
        if (size > 64 && size <= 1024)
            check_whole_sum(test, size - 1, size);
    }
}

void try_example(Case& test, const SmallTrial& trial) {
    const std::vector<float> drawn = digits(test.random(), trial.n);
    const std::vector<std::int32_t> values(drawn.begin(), drawn.end());
    test.trial(parameters(trial.n, trial.work_group_size),
               [&] { try_summary(test, values, trial.work_group_size); });
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab6",
            "The lock",
            {{lock_program.file, {"summarise"}, {lock_program.options}},
             {double_program.file, {"sum_double"}, {double_program.options}}},
            check_small,
            examples_of(try_example, std::vector<SmallTrial>{{6, 2}, {8, 4}, {1, 2}, {3, 2}})};
}

TEST_CASE("summary: every length" * points(2) *
          hint("The message says which of the four numbers are wrong.",
               "The host initializes the lock and the summary. Work-item 0 of each group merges "
               "summaries[0] between lock() and unlock().",
               "Before the launch, write 0 to the lock, and count 0, sum 0, the smallest int and "
               "the largest int to the summary. Under the lock, copy the four words to a Summary, "
               "merge() summaries[0] into it, and write the four words back.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 5000)) {
        check_summary(test, numbers(test.random(), n), 64);
        check_summary(test, negative_numbers(test.random(), n), 64);
    }
    check_summary(test, large_numbers(test.random(), 1000), 64);
    for (const std::size_t n : {2, 64, 65, 200, 1000})
        check_summary(test, equal_maxima(test.random(), n), 64);
    check_summary(test, std::vector<std::int32_t>(1000, -7), 64);
    check_summary(test, {std::numeric_limits<std::int32_t>::min()}, 64);
    for (const std::size_t size : {2, 64})
        check_summary(test, {0, 16777216, 16777217, 0}, size); // equal as floats
}

TEST_CASE("summary: every work-group size" * points(1) *
          hint("Do some work-group sizes work? Then look for a number in your code that is "
               "one of those sizes.",
               "Compute the number of groups and the local memory (one Summary per work-item) from "
               "work_group_size.",
               "The number of groups is (n + work_group_size - 1) / work_group_size, the global "
               "size is that times work_group_size, and the local memory is "
               "cl::Local(work_group_size * sizeof(Summary)).")) {
    Case test;
    for (const std::size_t size : group_sizes(test, lock_program, "summarise", sizeof(Summary))) {
        for (const std::size_t n : {size - 1, 3 * size + 1, std::size_t{3000}})
            check_summary(test, numbers(test.random(), n), size);
    }
}

TEST_CASE(
    "summary: many groups at the lock" * points(1) *
    hint("What does a group do while another one has the lock?",
         "While one work-item is between lock() and unlock(), no other can be: take the lock with "
         "atomic_cmpxchg in a loop until it returns 0, and release it only after a fence.",
         "lock() repeats atomic_cmpxchg(mutex, 0, 1) as long as the result is not 0, then calls "
         "mem_fence(CLK_GLOBAL_MEM_FENCE). unlock() calls the same fence and then sets the lock to "
         "0 with atomic_xchg. Only work-item 0 of each group calls them, once.")) {
    // On a busy machine a ticket lock waits at every group for a thread that must wake up first.
    Case test;
    const std::size_t most = std::size_t{1}
                             << (test.device().type == wire::DeviceType::gpu ? 14 : 16);
    repeat_for_contention(test,
                          [&] { return check_summary(test, numbers(test.random(), most - 1), 2); });
    check_summary(test, numbers(test.random(), std::size_t{1} << 16), 64);
    constexpr std::size_t groups = (std::size_t{1} << 16) + 100; // too many to count in 16 bits
    check_summary(test, numbers(test.random(), 2 * groups), 2);
    check_summary_parts(test);
}

TEST_CASE("the kernel does the work" * points(1) *
          hint("The message says which part of the launch is different.",
               "Use one launch of summarise with one work-item per element, and read back the four "
               "words of the summary.",
               "The global size is the number of groups times work_group_size. One "
               "enqueueReadBuffer reads sizeof(Summary) bytes.")) {
    Case test;
    const std::size_t size = 32;
    const std::size_t groups = 10;
    for (const std::size_t n : {groups * size - 5, groups * size}) {
        const std::vector<std::int32_t> values = numbers(test.random(), n);
        test.trial(parameters(n, size), [&] {
            const Run run = try_summary(test, values, size);
            check_launches(
                test, lock_program, run,
                {"summarise", size, groups * size, size * sizeof(Summary), sizeof(Summary)});
            test.require_kernels(lock_program, run, sizeof(Summary), "summarise", values, size);
        });
    }
}

TEST_CASE(
    "double: every addition arrives" * points(2) *
    hint("What if another work-item changes the sum between your read and your write?",
         "atom_cmpxchg returns the old value. Your addition succeeded only if that is the value "
         "from which you computed the new sum. If not, compute it again from the current value.",
         "Treat the sum as a ulong. In a loop: assumed = seen; seen = atom_cmpxchg(bits, assumed, "
         "the bits of assumed + value), until seen equals assumed. Compare the bits, not the "
         "doubles: a NaN is not equal to itself.")) {
    Case test;
    const std::string missing = missing_for_doubles(test.device());
    if (!missing.empty())
        skip(missing);
    for (const std::size_t n : {1, 2, 63, 64, 65, 1000, 4097}) {
        const std::vector<double> values = whole_doubles(test.random(), n);
        const std::size_t size = 64;
        test.trial(parameters(n, size), [&] {
            const Run run = check_sum(test, values, 0, size);
            check_launches(test, double_program, run, {"sum_double", size, 0, 0, sizeof(double)});
            test.require_kernels(double_program, run, sizeof(double), "sum_double", values, size);
        });
    }
    for (const std::size_t size : sizes_for_doubles(test))
        check_whole_sum(test, 3 * size - 1, size);
    // A NaN is not equal to itself as a double, but its bits are.
    std::vector<double> with_nan = whole_doubles(test.random(), 100);
    with_nan[50] = std::numeric_limits<double>::quiet_NaN();
    test.trial(parameters(with_nan.size(), 64) + ", element 50 is a NaN",
               [&] { check_sum(test, with_nan, 0, 64); });
    repeat_for_contention(test, [&] {
        const std::size_t n = (std::size_t{1} << 16) + 1;
        const std::vector<double> values = whole_doubles(test.random(), n);
        return test.trial(parameters(n, 16), [&] { return check_sum(test, values, 0, 16); });
    });
    check_double_parts(test);
}

TEST_CASE("double: sums that round" * points(1) *
          hint("How many digits does your sum keep?",
               "The sum must be a double throughout, in the kernel and on the host: a float keeps "
               "only 24 bits.",
               "Check every variable between data[gid] and the host's result: double and "
               "cl_double, as_double and as_ulong, sizeof(cl_double).")) {
    Case test;
    const std::string missing = missing_for_doubles(test.device());
    if (!missing.empty())
        skip(missing);
    for (const std::size_t n : {1, 1000, 10007}) {
        check_rounding_sum(test, n, 32);
    }
}

TEST_CASE("locks and fences" * points(2) * reports(findings::locks) *
          hint("Which accesses may the device move out of the part between lock() and unlock()?",
               "Retry until you hold the lock. Put a mem_fence(CLK_GLOBAL_MEM_FENCE) after lock() "
               "and before unlock(). unlock() must be an atomic operation of the work-item that "
               "holds the lock.",
               "The last line of lock() is the fence, and so is the first line of unlock(). The "
               "last line of unlock() is atomic_xchg(mutex, 0).")) {
    Case test;
    test.require_no_findings();
    check_summary_parts(test);
    if (missing_for_doubles(test.device()).empty())
        check_double_parts(test);
}

TEST_CASE(
    "no data race" * points(3) * reports(findings::races) *
    hint("Which memory do several groups use at the lines that the message names?",
         "Read and write all four words of the summary under the lock. What several work-items add "
         "to without a lock, they must add to atomically.",
         "Call lock() before the first read of *summary and unlock() after the last write, in the "
         "same work-item. In atomic_add_double, change the sum only with atom_cmpxchg.")) {
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
