#pragma once

#include "grader/case.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

/// Sizes and speeds that the cases of all labs use.

/// Hints for cases that several labs have.
namespace hints {
grader::Hint local_races();
grader::Hint barriers();
grader::Hint bounds();
/// For failures that any case can show.
grader::Hints sizes();
grader::Hints launches();
grader::Hints length_of_result();
} // namespace hints

/// "n = 257, work-group size 64".
std::string parameters(std::size_t n, std::size_t work_group_size);

/// `n` whole numbers from 1 to 9, which a picture has room for.
std::vector<float> digits(grader::Random& random, std::size_t n);

/// `n` whole numbers, about half of them negative, whose sums are exact.
std::vector<float> numbers_of_both_signs(grader::Random& random, std::size_t n);

/// The mistake of an algorithm that ignores their signs.
constexpr const char* takes_magnitudes =
    "negative elements count as positive ones: something takes their absolute value";

/// Those of `some` that are in `others`, too: what also explains another result.
std::vector<std::string> in_both(const std::vector<std::string>& some,
                                 const std::vector<std::string>& others);

/// Whether all of them are from -1 to 1, so that a sum that loses their fractions is very different.
bool are_fractions(const std::vector<float>& values);

/// A guess if the result of fractions is a whole number.
constexpr const char* whole_result = "whole numbers are right, but here the result is a whole "
                                     "number, too: somewhere, an int drops the fractions";

/// The mistake of a kernel whose counter of tickets has counted its work-items.
constexpr const char* each_takes_ticket =
    "every work-item takes a ticket, but one of each group must take it and share it with the "
    "others";

/// What the buffer that is this argument of the kernel holds before its last launch in `calls`, which
/// labgrind runs; `unknown` if that is not known.
template <class Value> Value first_value(grader::Case& test, std::size_t argument, Value unknown,
                                         const std::function<void()>& calls) {
    std::vector<std::uint32_t> words;
    test.examine_interpreted([&] {
        calls();
        words = test.words_given(argument);
    });
    if (words.size() * sizeof words.front() == sizeof unknown)
        std::memcpy(&unknown, words.data(), sizeof unknown);
    return unknown;
}

/// The sizes of a trial that is small enough to be interpreted.
struct SmallTrial {
    std::size_t n;
    std::size_t work_group_size;
};

/// A lab's examples, see grader::LabInfo.
using Examples = std::vector<std::function<void(grader::Case&)>>;

/// The examples that call `attempt` with each of `trials`.
template <class Attempt, class Trial>
Examples examples_of(const Attempt& attempt, const std::vector<Trial>& trials) {
    Examples calls;
    for (const Trial& trial : trials)
        calls.push_back([=](grader::Case& test) { attempt(test, trial); });
    return calls;
}

/// The powers of two from 2 on that `kernel` can have as work-group size if every work-item needs
/// `local_bytes` of local memory.
std::vector<std::size_t> group_sizes(grader::Case& test, const grader::Program& program,
                                     const std::string& kernel, std::size_t local_bytes);

/// The largest of them that is not above `most`.
std::size_t group_size_up_to(grader::Case& test, const grader::Program& program,
                             const std::string& kernel, std::size_t local_bytes, std::size_t most);

/// 128, 256 or 512, but not above `most`: a kernel may share its work in some sizes only.
std::size_t draw_group_size(grader::Random& random, std::size_t most);

/// Enough groups for a kernel to behave differently, and few enough that each of them is watched.
constexpr std::size_t hundreds_of_groups = 701;

/// Too many to be interpreted completely.
constexpr std::size_t many_elements = (std::size_t{1} << 20) - 1;

/// The note on trials in which only these groups run.
constexpr const char* first_and_last = ", first and last group";

/// Makes the analysis watch calls with very many groups, because a kernel may behave differently
/// then. `call` gets n and the work-group size.
void watch_many_groups(grader::Case& test,
                       const std::function<void(std::size_t, std::size_t)>& call);

/// What the launches of a call must be like.
struct Expected {
    std::string kernel;              ///< every launch of it is checked, and there must be one
    std::size_t work_group_size = 0; ///< work-items
    std::size_t global_size = 0;     ///< work-items of its first launch; 0: any
    std::size_t local_bytes = 0;     ///< local memory given as arguments, at least
    std::size_t bytes_read = 0;      ///< read back in total; 0: any
};

/// Ends the case with a failure unless the launches of `run` are as `expected`.
void check_launches(grader::Case& test, const grader::Program& program, const grader::Run& run,
                    const Expected& expected);

/// What the work-items of a call must load in total.
struct ToLoad {
    std::size_t input_bytes = 0; ///< the call's whole input
    std::size_t word_bytes = 0;  ///< what is combined with one operation, a float or a float4
    std::size_t group_words = 0; ///< such words that a group combines into one
};

/// Ends the case with a failure if one work-item of a launch loads more than its share of the data
/// and half of a group's words: then it goes through what all should share, whatever operation it
/// uses.
void check_loads(grader::Case& test, const grader::Program& program,
                 const std::vector<wire::WorkCounts>& work, const ToLoad& to_load);

/// log2(size): the steps of a tree over so many elements, a power of two.
std::size_t steps_of(std::size_t size);

/// The largest span that the additions of a group of `size` work-items may have, each of which has
/// `elements`, if they form a tree of vectors of `lanes`.
std::uint64_t span_of_tree(std::size_t size, std::size_t elements, std::size_t lanes = 1);

/// Ends the case with a failure if the span of a group's additions is larger: a few work-items do
/// most of them, or all of them in turn.
void check_span(grader::Case& test, const grader::Program& program, const wire::WorkCounts& launch,
                std::uint64_t allowed);

/// The additions of a launch in groups in which one work-item does most of them. The call works on
/// `elements` elements.
std::uint64_t lone_additions(const wire::WorkCounts& launch, std::size_t elements);

/// Kinds of findings (see labgrind/reports/findings.hpp), by the case that reports them.
namespace findings {
/// For kernels without locks. If one uses a lock anyway, its mistakes count here.
extern const std::vector<wire::FindingKind> races_and_locks;
extern const std::vector<wire::FindingKind> races;
extern const std::vector<wire::FindingKind> locks;
extern const std::vector<wire::FindingKind> barriers;
extern const std::vector<wire::FindingKind> bounds;
} // namespace findings

/// How many floats to time on this device: enough for a launch to take much longer than starting
/// it, and more where the bound is so tight that what every launch costs would count.
std::size_t elements_to_time(const grader::Case& test, double bound);

/// For information only: time against a copy of `elements` floats. `bytes_per_element` is the least
/// traffic of the algorithm.
grader::SpeedLimit against_copy(std::size_t elements, double bytes_per_element,
                                std::size_t work_group_size);

/// Time against the reduction of `elements` floats, one per work-item, by a tree whose loop is
/// unrolled. More than `bound` times its time is too slow.
grader::SpeedLimit against_scalar_tree(std::size_t elements, double bytes_per_element,
                                       std::size_t work_group_size, double bound);

/// The most that a correct reduction may cost, as a multiple of the unrolled tree. The slowest loop
/// shape in textbooks costs 4.7 times the tutorial's (M. Harris, Optimizing Parallel Reduction in
/// CUDA, 2007: kernel 1 takes 8.054 ms, kernel 3 takes 1.722 ms), and unrolling gains up to 1.7.
constexpr double reduction_bound = 8;

/// The same for a correct scan: it passes over the data at most three times (groups, sums, offsets)
/// and has two barriers per step where the tree has one.
constexpr double scan_bound = 3 * 2 * reduction_bound;

/// float4 must not be slower than single floats, apart from noise. On some devices it gains
/// nothing.
constexpr double vector_bound = 1.25;
