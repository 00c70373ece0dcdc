#include "element_counts.hpp"
#include "grader/case.hpp"
#include "grader/explain.hpp"
#include "hosts.hpp"
#include "launch_words.hpp"
#include "reductions.hpp"
#include "trials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

using namespace grader;

namespace {

const Program dot_program{"lab9_dot_product.cl", "-cl-std=CL1.2"};
const std::string scan_file = "lab9_scan_applications.cl";
const Program count_program{scan_file,
                            "-cl-std=CL1.2 -DTYPE=uint -DCOMBINE(a,b)=((a)+(b)) -DIDENTITY=0"};
const Program map_program{scan_file, "-cl-std=CL1.2 -DTYPE=float2 "
                                     "-DCOMBINE(a,b)=compose((a),(b)) "
                                     "-DIDENTITY=(float2)(1.0f,0.0f)"};

std::size_t groups_for(std::size_t n, std::size_t work_group_size) {
    return (n + work_group_size - 1) / work_group_size;
}

/// A typical mistake that explains a result.
struct Mistake {
    std::string name; ///< the same for every input
    std::string text; ///< for the student; with elements of this input
    /// As in Failure.
    std::string explained_kernel = {};
};

Mistake plain(const std::string& text) { return {text, text}; }

/// The mistakes that explain the result `here`, if they are known, and those of inputs with these
/// lengths. `explain` makes a call with `n` elements and returns its mistakes.
std::vector<Mistake> confirmed(Case& test, const std::vector<std::size_t>& lengths,
                               const std::optional<std::vector<Mistake>>& here,
                               const std::function<std::vector<Mistake>(std::size_t n)>& explain) {
    std::vector<std::vector<Mistake>> others;
    const bool returned = test.examine([&] {
        for (const std::size_t n : lengths)
            others.push_back(explain(n));
    });
    if (!returned)
        return {};
    const auto explains_all = [&](const Mistake& mistake) {
        return std::ranges::all_of(others, [&](const std::vector<Mistake>& other) {
            return std::ranges::any_of(
                other, [&](const Mistake& one) { return one.name == mistake.name; });
        });
    };
    std::vector<Mistake> found = here ? *here : others.front();
    std::erase_if(found, [&](const Mistake& one) { return !explains_all(one); });
    return found;
}

/// Adds the mistakes that explain the result `here` and those of further inputs: a small input alone
/// has several explanations. If several are left, more inputs can tell them apart.
void add_confirmed_guesses(Case& test, Failure& failure, const std::vector<std::size_t>& lengths,
                           const std::optional<std::vector<Mistake>>& here,
                           const std::function<std::vector<Mistake>(std::size_t n)>& explain) {
    constexpr int most_tries = 4;
    std::vector<Mistake> found = confirmed(test, lengths, here, explain);
    for (int i = 1; i < most_tries && found.size() > 1; ++i) {
        const std::vector<Mistake> left = confirmed(test, lengths, found, explain);
        if (left.empty())
            break;
        found = left;
    }
    for (const Mistake& mistake : found)
        failure.why.guesses.push_back(mistake.text);
    if (found.size() == 1) {
        failure.why.mistake = found.front().name;
        failure.why.explained_kernel = found.front().explained_kernel;
    }
}

/// The same with two inputs of several groups, the last of which is usually not full. They tell vectors of
/// 2, 4, 8 and 16 elements apart.
void add_guesses(Case& test, Failure& failure, std::size_t work_group_size,
                 const std::optional<std::vector<Mistake>>& here,
                 const std::function<std::vector<Mistake>(std::size_t n)>& explain) {
    add_confirmed_guesses(
        test, failure, {7 * work_group_size / 2 + 5, 11 * work_group_size / 2 + 11}, here, explain);
}

std::vector<Mistake> all_plain(const std::vector<std::string>& texts) {
    std::vector<Mistake> mistakes;
    std::ranges::transform(texts, std::back_inserter(mistakes), plain);
    return mistakes;
}

/// If not exactly one mistake is known to explain a failure: which launch leaves something wrong. `describe`
/// gives the words for a wrong word.
void add_wrong_launch(
    Case& test, Failure& failure, const std::function<bool()>& is_right, const RightWords& right,
    const std::function<launch_words::Description(const WrongWord& wrong)>& describe) {
    if (failure.why.guesses.size() == 1 || test.is_in_other_schedule())
        return;
    const auto check = test.find_wrong_launch(is_right, right);
    if (!check)
        return;
    const std::optional<WrongWord>& wrong = check->first_wrong();
    failure.why.guesses = {wrong ? launch_words::describe(*wrong, describe(*wrong))
                                 : launch_words::host_is_wrong};
    failure.why.only_asks = true;
    failure.why.mistake.clear();
    failure.kernel = wrong ? wrong->kernel : "";
}

/// Ends the case with a failure unless every launch of `kernel`, and there is one, has this
/// work-group size.
void check_groups(Case& test, const Program& program, const Run& run, const std::string& kernel,
                  std::size_t work_group_size) {
    check_launches(test, program, run, {kernel, work_group_size, 0, 0, 0});
}

/// The same for the scan of `n` elements; a single element is its own scan.
void check_groups_of_scan(Case& test, const Program& program, const Run& run, std::size_t n,
                          std::size_t work_group_size) {
    if (n > 1)
        check_groups(test, program, run, "scan_groups", work_group_size);
}

/// Ends the case with a failure if the host reads back more than `most` words of 4 bytes.
void check_reads(Case& test, const Program& program, const Run& run, std::size_t most) {
    const std::size_t read =
        std::accumulate(run.seen.reads.begin(), run.seen.reads.end(), std::size_t{0});
    if (read > most * sizeof(float))
        test.fail(program, {"the host reads back too much",
                            {"it reads " + std::to_string(read) + " bytes, and needs at most " +
                             std::to_string(most * sizeof(float))},
                            ""});
}

/// A launch before or after the scan, by its kernel.
struct OuterLaunch {
    std::string kernel;
    hosts::Needs needs;
};

/// What a call scans.
struct Scanned {
    std::size_t n = 0;
    std::size_t work_group_size = 0;
    std::size_t element_bytes = 0;
};

/// What the host did wrong if it launches `first`, a scan, and `last`.
std::optional<KnownMistake> mistake_around_scan(const wire::CallReply& seen,
                                                const OuterLaunch& first, const OuterLaunch& last,
                                                const Scanned& scanned) {
    const std::size_t end = seen.launches.size() - 1;
    if (seen.launches.size() < 2 || seen.launches.front().kernel != first.kernel ||
        seen.launches[end].kernel != last.kernel || hosts::moves_data(seen))
        return {};
    if (auto wrong = hosts::find_mistake(seen, 0, first.needs))
        return wrong;
    if (auto wrong =
            hosts::find_mistake_in_levels(seen, 1, end,
                                          {"scan_groups", "combine_offsets", scanned.n,
                                           scanned.work_group_size, 1, scanned.element_bytes}))
        return wrong;
    return hosts::find_mistake(seen, end, last.needs);
}

// --- dot product ---------------------------------------------------------------------------------

/// The factors of a dot product.
struct Factors {
    std::vector<float> x;
    std::vector<float> y;

    std::size_t size() const { return x.size(); }
};

/// The sum of the products, exact in double precision, and that of their absolute values.
double dot_of(const std::vector<float>& x, const std::vector<float>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += double{x[i]} * double{y[i]};
    return sum;
}
double magnitude_of(const Factors& factors) {
    double sum = 0;
    for (std::size_t i = 0; i < factors.size(); ++i)
        sum += std::fabs(double{factors.x[i]} * double{factors.y[i]});
    return sum;
}

/// Whole numbers whose products add up exactly in any order: those of x do, and y is 1 or -1.
Factors whole_factors(Random& random, std::size_t n) {
    Factors factors{whole_numbers(random, n), std::vector<float>(n)};
    for (float& one : factors.y)
        one = random() % 2 == 0 ? 1.0F : -1.0F;
    return factors;
}

Factors random_factors(Random& random, std::size_t n) {
    return {random_floats(random, n), random_floats(random, n)};
}

/// What each group loads if it indexes `values` with the local id.
std::vector<float> first_group_in_each(const std::vector<float>& values,
                                       std::size_t work_group_size) {
    std::vector<float> loaded(values.size());
    for (std::size_t i = 0; i < loaded.size(); ++i)
        loaded[i] = values[i % work_group_size];
    return loaded;
}

constexpr const char* adds_ones = "work-items beyond the last element add 1 each: they must add 0";

constexpr const char* drops_fractions =
    "the sum of the products is a whole number: somewhere, an int drops the fractions";

/// How many work-items have no element.
std::size_t idle_items(std::size_t n, std::size_t work_group_size) {
    return groups_for(n, work_group_size) * work_group_size - n;
}

/// The values that typical mistakes lead to.
std::vector<Suspect> dot_suspects(const Factors& factors, std::size_t work_group_size) {
    const std::size_t n = factors.size();
    const std::vector<float> ones(n, 1.0F);
    const auto first = [&](std::size_t count) {
        const auto end = static_cast<std::ptrdiff_t>(count);
        return dot_of({factors.x.begin(), factors.x.begin() + end},
                      {factors.y.begin(), factors.y.begin() + end});
    };
    const auto sum_of_items = [&](const auto& belongs) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i)
            sum += belongs(i % work_group_size) ? double{factors.x[i]} * double{factors.y[i]} : 0;
        return sum;
    };
    const double right = first(n);
    std::vector<Suspect> all{
        {0, "nothing was added"},
        {right + static_cast<double>(idle_items(n, work_group_size)), adds_ones},
        {dot_of(factors.x, ones), "this is the sum of x: y is missing"},
        {dot_of(factors.y, ones), "this is the sum of y: x is missing"},
        {dot_of(factors.x, ones) + dot_of(factors.y, ones), "x and y are added, not multiplied"},
        {dot_of(factors.x, factors.x), "this is the dot product of x with itself"},
        {dot_of(factors.y, factors.y), "this is the dot product of y with itself"},
        {dot_of(factors.x, first_group_in_each(factors.y, work_group_size)),
         "every group reads y of the first group: use the global id"},
        {dot_of(first_group_in_each(factors.x, work_group_size), factors.y),
         "every group reads x of the first group: use the global id"},
        {first(n - 1), "the last element is missing"},
        {first(n / work_group_size * work_group_size),
         "the last group, which is not full, is missing"},
        {first(std::min(n, work_group_size)), "only the first group is included"},
        {sum_of_items([](std::size_t item) { return item % 2 == 0; }),
         "each group lacks every second product: the step of distance 1 is missing, or its "
         "result is not stored"},
        {sum_of_items([=](std::size_t item) { return item < work_group_size / 2; }),
         "each group lacks the upper half of its products: the step of half the group is "
         "missing"},
        {sum_of_items([](std::size_t item) { return item == 0; }),
         "only the product of work-item 0 of each group is included: nothing that the tree adds "
         "up reaches the result"}};
    for (const std::size_t lanes : {2, 4, 8, 16})
        all.push_back(
            {first(n / lanes * lanes), "the last elements, which do not fill a vector of " +
                                           std::to_string(lanes) + ", are missing"});
    std::erase_if(all, [&](const Suspect& one) { return one.value == right; });
    return all;
}

/// What the host did wrong in a call for `n` elements.
std::optional<KnownMistake> mistake_of_dot(const wire::CallReply& seen, std::size_t n,
                                           std::size_t work_group_size) {
    if (seen.launches.size() != 1 || seen.launches.front().kernel != "dot_groups")
        return {};
    using Role = hosts::Buffer::Role;
    const wire::Launch& launch = seen.launches.front();
    const std::size_t items = wire::volume(launch.global_size);
    const std::size_t groups = items / work_group_size; // a work-item can take several elements
    const std::size_t bytes = n * sizeof(float);
    hosts::Needs needs{{0, work_group_size, work_group_size * sizeof(float)}};
    needs.buffers = {{0, "x", Role::input, bytes, bytes},
                     {1, "y", Role::input, bytes, bytes},
                     {4, "results", Role::other, groups * sizeof(float)}};
    needs.numbers = {{2, "n", n, n, "the number of elements"}};
    if (auto wrong = hosts::find_mistake(seen, 0, needs))
        return wrong;
    const int results = hosts::buffer_of(launch, 4);
    std::size_t read = 0;
    for (const wire::Transfer& one : seen.transfers)
        read += !one.writes && one.buffer == results ? one.bytes.size : 0;
    if (results == 0 || hosts::moves_data(seen))
        return {};
    if (items < n && read > groups * sizeof(float))
        return hosts::wrong_argument("dot_groups is launched with " + count_of(items, "work-item") +
                                         " in " + count_of(groups, "group") + " for " +
                                         count_of(n, "element") +
                                         ", so it leaves some of the results unwritten",
                                     "the number of work-items of dot_groups");
    if (read + sizeof(float) != groups * sizeof(float))
        return {};
    return hosts::wrong_argument("dot_groups writes " + count_of(groups, "float") +
                                     ", one for each group, but the host reads " +
                                     std::to_string(groups - 1) +
                                     ": is the number of groups rounded up?",
                                 "the read of the groups' results");
}

/// Lets the next failure say what the host did wrong.
void explain_dot_by_host(Case& test, std::size_t n, std::size_t work_group_size) {
    test.explain_host_by(
        [=](const wire::CallReply& seen) { return mistake_of_dot(seen, n, work_group_size); });
}

/// Adds to `failure` which products a wrong dot product lacks, or has more than once.
void add_counts_of_dot(Case& test, Failure& failure, const Factors& factors, double got,
                       std::size_t work_group_size) {
    std::vector<float> products(factors.size());
    std::ranges::transform(factors.x, factors.y, products.begin(), std::multiplies<>());
    element_counts::WrongSum wrong = element_counts::explain_sum(
        test, products, got, {1, work_group_size}, [&](const std::vector<float>& others) -> double {
            test.let_host_see(groups_for(others.size(), work_group_size));
            const std::vector<float> ones(others.size(), 1.0F);
            return test.compute(dot_program, "dot_product", others, ones, work_group_size)
                .value<float>();
        });
    if (!wrong.text.empty())
        failure.details.push_back(wrong.text);
    failure.wrong_step = std::move(wrong.wrong_step);
}

/// One dot product. `allowed` is the error bound, 0 where every order gives the exact result.
Run try_dot(Case& test, const Factors& factors, std::size_t work_group_size, double allowed = 0) {
    const std::size_t groups = groups_for(factors.size(), work_group_size);
    test.let_host_see(groups + 1); // one too many is no reason to hide all of them
    explain_dot_by_host(test, factors.size(), work_group_size);
    Run run = test.compute(dot_program, "dot_product", factors.x, factors.y, work_group_size);
    const double expected = dot_of(factors.x, factors.y);
    const double got = run.value<float>();
    if (!(std::fabs(got - expected) <= allowed)) { // a NaN is wrong, too
        test.end_if_only_judged();
        Failure failure{"wrong dot product", {compare_values(expected, got, allowed)}};
        failure.why.symptom = allowed == 0 ? failure.what : failure.what + " of floats that round";
        failure.why.wider_symptom = failure.what;
        failure.why.is_basic = factors.size() <= 2 * work_group_size;
        failure.why.hints = hints_for_value(expected, got);
        const std::string unseen = test.unseen();
        if (!unseen.empty()) {
            failure.details.push_back(unseen + "; one float for each group is enough");
            failure.why.hints = Hints{};
        } else {
            const auto explain = [&](const Factors& these, double result) {
                return all_plain(find_mistakes(result, dot_suspects(these, work_group_size)));
            };
            const std::vector<float>& read = test.last_read();
            if (allowed == 0 && std::accumulate(read.begin(), read.end(), 0.0) == expected)
                failure.details.push_back(
                    reductions::mistake_of_host(read, reductions::Operator::sum, got));
            std::optional<std::vector<Mistake>> here;
            if (allowed == 0)
                here = explain(factors, got);
            if (allowed == 0 && here->empty())
                add_counts_of_dot(test, failure, factors, got, work_group_size);
            const bool is_whole = allowed != 0 && got == std::trunc(got) && got != expected;
            add_guesses(test, failure, work_group_size, here, [&](std::size_t n) {
                Factors other = whole_factors(test.random(), n);
                other.x = digits(test.random(), other.size()); // so that their squares are exact
                std::ranges::replace(other.x, 0.0F, 1.0F);     // so that each product counts
                test.let_host_see(groups_for(other.size(), work_group_size));
                const Run run =
                    test.compute(dot_program, "dot_product", other.x, other.y, work_group_size);
                const bool is_right = double{run.value<float>()} == dot_of(other.x, other.y);
                return is_right && is_whole ? std::vector<Mistake>{plain(drops_fractions)}
                                            : explain(other, run.value<float>());
            });
        }
        test.fail(dot_program, failure);
    }
    test.require_few_reads(dot_program);
    check_groups(test, dot_program, run, "dot_groups", work_group_size);
    return run;
}

void check_whole_dot(Case& test, std::size_t n, std::size_t work_group_size) {
    const Factors factors = whole_factors(test.random(), n);
    test.trial(parameters(n, work_group_size), [&] { try_dot(test, factors, work_group_size); });
}

/// A dot product that rounds. Each of the n products passes through its own rounding and at most
/// n - 1 additions: Higham's lemma 3.1 gives gamma_n. One more is for the host's first addition.
void check_random_dot(Case& test, std::size_t n, std::size_t work_group_size) {
    const Factors factors = random_factors(test.random(), n);
    const double allowed = summation_bound(n + 1, magnitude_of(factors));
    test.trial(parameters(n, work_group_size) + ", floats that round",
               [&] { try_dot(test, factors, work_group_size, allowed); });
}

/// Whole numbers of both signs whose squares add up exactly in any order.
std::vector<float> whole_roots(Random& random, std::size_t n) {
    constexpr double exact = 0x1p24;
    const auto most = static_cast<std::uint64_t>(
        std::min(1000.0, std::floor(std::sqrt(exact / static_cast<double>(n)))));
    std::vector<float> values(n);
    for (float& value : values)
        value = static_cast<float>(1 + random() % most) * (random() % 2 == 0 ? 1.0F : -1.0F);
    return values;
}

double mean_square(const std::vector<float>& x) {
    return dot_of(x, x) / static_cast<double>(x.size());
}

bool has_large_fraction(double value) { return value - std::floor(value) > 0.25; }

/// The mistakes that lead to the root mean square `got` of whole numbers.
std::vector<Mistake> rms_mistakes(const std::vector<float>& x, std::size_t work_group_size,
                                  double got) {
    const double squares = dot_of(x, x);
    const auto count = static_cast<double>(x.size());
    const double sum = std::accumulate(x.begin(), x.end(), 0.0);
    const double right = std::sqrt(squares / count);
    const auto idle = static_cast<double>(idle_items(x.size(), work_group_size));
    const double signed_squares =
        std::accumulate(x.begin(), x.end(), 0.0, [](double before, float value) {
            return before + double{value} * std::fabs(value);
        });
    const char* const has_signs = "some terms of the sum are negative, but no square is: are both "
                                  "vectors of the dot product x?";
    std::vector<Mistake> found;
    if (std::isnan(got) && signed_squares < 0)
        found.push_back(plain(has_signs));
    if (x.size() == 1 && std::isinf(got))
        found.push_back(plain("the sum of squares is divided by n - 1"));
    for (const Suspect& one :
         {Suspect{std::sqrt(squares), "the sum of squares is not divided by n"},
          Suspect{std::sqrt(std::max(signed_squares, 0.0) / count), has_signs},
          Suspect{squares / count, "the square root is missing"},
          Suspect{squares, "this is the sum of squares: neither the mean nor the root is taken"},
          Suspect{std::sqrt(squares) / count, "the root comes before the division by n"},
          Suspect{std::fabs(sum / count), "this is the mean of x, not of its squares"},
          Suspect{std::sqrt(std::fabs(sum / count)),
                  "this is the root of the mean of x: square the numbers first"},
          Suspect{count == 1 ? right : 0, "the mean is 0: as integers, 1 / n is 0"},
          Suspect{std::sqrt(std::floor(squares / count)),
                  "the mean is a whole number: a division of integers drops the fraction"},
          Suspect{std::floor(right), "the result is a whole number: its fraction is lost"},
          Suspect{std::sqrt(squares / std::max(count - 1, 1.0)),
                  "the sum of squares is divided by n - 1"},
          Suspect{std::sqrt(squares / (count + idle)),
                  "the sum of squares is divided by the number of work-items, not by n"},
          Suspect{std::sqrt(squares / static_cast<double>(work_group_size)),
                  "the sum of squares is divided by the work-group size, not by n"},
          Suspect{std::sqrt((squares + idle) / count), adds_ones},
          Suspect{1, "the result is always 1: as integers, 1 / 2 is 0, and any number to the power "
                     "of 0 is 1; use std::sqrt"}}) {
        constexpr std::size_t roundings = 4; // the squares of whole numbers add up exactly
        const double allowed = summation_bound(roundings, one.value);
        if (std::fabs(std::fabs(got) - one.value) <= allowed &&
            std::fabs(one.value - right) > 4 * allowed)
            found.push_back(plain(one.mistake));
    }
    return found;
}

/// Whether `rms` of `count` elements comes from a sum of squares that is a whole number.
bool comes_from_whole_sum(double rms, double count) {
    const double sum = rms * rms * count;
    constexpr double roundings = 4 * 0x1p-23;
    return std::fabs(sum - std::round(sum)) <= roundings * sum && sum < 0.01 / roundings;
}

/// Ends the case with a failure unless the root mean square of `x` is right. The sum of the squares
/// rounds at most `roundings` times.
void check_rms(Case& test, const std::vector<float>& x, std::size_t work_group_size,
               std::size_t roundings) {
    const std::size_t n = x.size();
    const double squares = dot_of(x, x);
    const auto count = static_cast<double>(n);
    const double expected = std::sqrt(squares / count);
    // The number of elements, the quotient and the root round, too. The root halves the relative
    // error of what is under it, so this allows more than twice of what can be.
    const double allowed = summation_bound(roundings + 4, expected);
    test.trial(parameters(n, work_group_size), [&] {
        test.let_host_see(groups_for(n, work_group_size) + 1);
        explain_dot_by_host(test, n, work_group_size);
        const Run run = test.compute(dot_program, "root_mean_square", x, work_group_size);
        const double got = run.value<float>();
        if (std::fabs(got - expected) <= allowed)
            return test.require_few_reads(dot_program);
        test.end_if_only_judged();
        Failure failure{"wrong root mean square", {compare_values(expected, got, allowed)}};
        failure.why.wider_symptom = "wrong dot product"; // of which it is made
        failure.why.hints = hints_for_value(expected, got);
        const std::vector<float>& read = test.last_read();
        const double sum = std::accumulate(read.begin(), read.end(), 0.0);
        if (std::isnan(got) && sum < 0)
            failure.details.emplace_back(
                "your result is the square root of a negative number: what your host code reads "
                "back adds up to less than 0, but no square is negative. Are both vectors of the "
                "dot product x?");
        std::optional<std::vector<Mistake>> here;
        constexpr double distinct = 8; // times the error of a right result
        if (roundings == 0 && !(std::fabs(got - expected) <= distinct * allowed))
            here = rms_mistakes(x, work_group_size, got);
        const bool is_whole = roundings != 0 && comes_from_whole_sum(got, count);
        add_guesses(test, failure, work_group_size, here, [&](std::size_t other_n) {
            const auto roots = [&] { return whole_roots(test.random(), other_n); };
            std::vector<float> other = roots();
            constexpr int attempts = 100;
            for (int i = 0; i < attempts && !has_large_fraction(mean_square(other)); ++i)
                other = roots(); // so that the loss of the fraction shows
            test.let_host_see(groups_for(other.size(), work_group_size));
            const Run run = test.compute(dot_program, "root_mean_square", other, work_group_size);
            const double found = run.value<float>();
            const double right = std::sqrt(mean_square(other));
            if (is_whole && std::fabs(found - right) <= summation_bound(4, right))
                return std::vector<Mistake>{plain(drops_fractions)};
            return rms_mistakes(other, work_group_size, found);
        });
        test.fail(dot_program, failure);
    });
}

// --- compaction ----------------------------------------------------------------------------------

/// A number between 0 and 1 with few digits: a small one in half of the cases.
float fraction(Random& random) {
    const bool is_small = random() % 2 == 0;
    return is_small ? std::ldexp(1.0F, -static_cast<int>(1 + random() % 10))
                    : static_cast<float>(1 + random() % 63) / 64;
}

/// Numbers of both signs, some of them fractions, some of them tiny, and zeros; about `percent` of
/// them are above 0.
std::vector<float> mixed_numbers(Random& random, std::size_t n, std::size_t percent = 50) {
    std::vector<float> values(n);
    for (float& value : values) {
        constexpr std::uint64_t distinct = 1000000;
        const bool is_fraction = random() % 4 == 0;
        const bool is_tiny = random() % 16 == 0;
        const float size = is_tiny       ? 0x1p-100F
                           : is_fraction ? fraction(random)
                                         : static_cast<float>(1 + random() % distinct);
        const bool stays = random() % 100 < percent;
        const bool is_zero = random() % 4 == 0;
        value = stays ? size : is_zero ? 0 : -size;
    }
    return values;
}

template <class Stays>
std::vector<float> those_that(const std::vector<float>& values, const Stays& stay) {
    std::vector<float> found;
    std::copy_if(values.begin(), values.end(), std::back_inserter(found), stay);
    return found;
}

std::vector<float> compacted(const std::vector<float>& values) {
    return those_that(values, [](float one) { return one > 0; });
}

/// A wrong condition for the elements that are kept.
struct Condition {
    std::string name;
    bool (*stays)(float);
    std::string both;    ///< what it means in mark and in scatter; "": see describe_wrong()
    std::string marking; ///< what it means in mark only; "": likewise
};

const std::vector<Condition> wrong_conditions{
    {"all", [](float) { return true; }, "this is the whole input: no element was removed", ""},
    {"not 0", [](float one) { return one != 0; }, "", ""},
    {"at least 0", [](float one) { return one >= 0; },
     "zeros are kept, too; keep only elements above 0", "zeros are marked, but not scattered"},
    {"far above 0", [](float one) { return one > 0x1p-20F; }, "", ""},
    {"at least 1", [](float one) { return one >= 1; }, "", ""},
    {"below 0", [](float one) { return one < 0; },
     "the wrong elements are kept: keep only those above 0", ""},
    {"at most 0", [](float one) { return one <= 0; },
     "the wrong elements are kept: keep only those above 0", ""},
};

bool is_above_0(float one) { return one > 0; }

/// Where the wrong condition is.
enum class Where { both, mark, scatter };

/// What the host gets if elements are marked and scattered by these conditions, and all work-items
/// run in their order. An element that is not written is NaN.
std::vector<float> scattered(const std::vector<float>& values, bool (*marked)(float),
                             bool (*stored)(float)) {
    std::vector<float> result(values.size(), std::numeric_limits<float>::quiet_NaN());
    std::size_t count = 0;
    for (const float one : values) {
        count += marked(one) ? 1 : 0;
        if (stored(one) && count != 0)
            result[count - 1] = one;
    }
    result.resize(count);
    return result;
}

/// What the host gets if each kept element is stored at its old place.
std::vector<float> not_moved(const std::vector<float>& values) {
    std::vector<float> result(compacted(values).size());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = is_above_0(values[i]) ? values[i] : std::numeric_limits<float>::quiet_NaN();
    return result;
}

bool is_same(const std::vector<float>& got, const std::vector<float>& other) {
    return std::equal(got.begin(), got.end(), other.begin(), other.end(),
                      [](float a, float b) { return std::isnan(b) ? is_poison(a) : a == b; });
}

/// Names the first element that `wrong` treats wrongly.
std::string describe_wrong(const std::vector<float>& values, const Condition& wrong, Where where) {
    const auto is_wrong = [&](float one) { return wrong.stays(one) != is_above_0(one); };
    const auto first = std::ranges::find_if(values, is_wrong);
    if (where == Where::scatter && !is_above_0(*first))
        return "scatter stores an element that must not be kept: keep only those above 0";
    const std::string element =
        "element " + std::to_string(first - values.begin()) + ", which is " + show(*first) + ",";
    if (!is_above_0(*first))
        return element + (where == Where::both ? " must not be kept: keep only elements above 0"
                                               : " must not be kept, but is marked");
    // Numbers above those that are taken for 0 are right.
    float largest = 0;
    float smallest_right = 2; // of those above 0
    for (const float one : values) {
        if (is_wrong(one))
            largest = std::max(largest, one);
        else if (is_above_0(one))
            smallest_right = std::min(smallest_right, one);
    }
    const std::string question =
        largest > 1 ? ""
        : smallest_right < 1
            ? ": compare it with 0, not with a small number"
            : ": does an int drop the fraction, or is it compared with 1 or with a small number? "
              "compare it with 0";
    return element + " is above 0 and must be kept" +
           (where == Where::both   ? ""
            : where == Where::mark ? ", but is not marked"
                                   : ", but scatter does not store it") +
           question;
}

/// The wrong conditions that explain the whole result.
std::vector<Mistake> condition_mistakes(const std::vector<float>& values,
                                        const std::vector<float>& got) {
    std::vector<Mistake> found;
    for (const Condition& wrong : wrong_conditions) {
        const auto add_if = [&](const std::vector<float>& other, Where where,
                                const std::string& text) {
            if (!is_same(got, other))
                return;
            const std::string described =
                text.empty() ? describe_wrong(values, wrong, where) : text;
            if (where == Where::both)
                found.push_back({wrong.name, described});
            else
                found.push_back({wrong.name + (where == Where::mark ? " in mark" : " in scatter"),
                                 described, "scatter"});
        };
        add_if(scattered(values, wrong.stays, wrong.stays), Where::both, wrong.both);
        add_if(scattered(values, wrong.stays, is_above_0), Where::mark, wrong.marking);
        add_if(scattered(values, is_above_0, wrong.stays), Where::scatter, "");
    }
    return found;
}

/// The mistakes that explain the whole result, which is wrong.
std::vector<Mistake> compaction_mistakes(const std::vector<float>& values,
                                         const std::vector<float>& got) {
    const std::vector<float> right = compacted(values);
    if (got == right)
        return {};
    std::vector<Mistake> found = condition_mistakes(values, got);
    const auto add_if = [&](bool explains, const char* mistake) {
        if (explains)
            found.push_back(plain(mistake));
    };
    add_if(got.size() == values.size() && right.size() < values.size() &&
               std::equal(right.begin(), right.end(), got.begin()),
           "the result has all elements of the buffer, not only those that are kept");
    const auto shared = static_cast<std::ptrdiff_t>(std::min(got.size(), right.size()));
    add_if(got.size() + 1 == right.size() && std::equal(got.begin(), got.end(), right.begin()),
           "the last element is missing: the number of elements is too small by 1");
    add_if(got.size() == right.size() + 1 && std::equal(right.begin(), right.end(), got.begin()),
           "there is one element too many at the end: the number of elements is wrong");
    add_if(got.empty(), "the number of elements is 0: it is the last scanned mark, a cl_uint");
    add_if(got.size() == right.size() && std::equal(got.begin(), got.end(), values.begin()),
           "these are the first elements of the input: a work-item copies its own element, "
           "data[gid], to the place from the scan");
    if (is_same(got, not_moved(values)))
        found.push_back({"not moved",
                         "the elements stay at their old places: the place of an element is "
                         "scanned_marks[gid] - 1",
                         "scatter"});
    std::vector<float> too_far = right;
    too_far.insert(too_far.begin(), std::numeric_limits<float>::quiet_NaN());
    too_far.pop_back();
    if (is_same(got, too_far) ||
        (shared > 1 && std::equal(got.begin() + 1, got.begin() + shared, right.begin())))
        found.push_back({"too far",
                         "each element is one place too far to the right: its place is the number "
                         "of elements before it, without the element itself",
                         "scatter"});
    add_if(shared > 1 && std::equal(got.begin(), got.begin() + shared - 1, right.begin() + 1),
           "each element is one place too far to the left");
    const auto is_lost =
        std::ranges::find_if(right, [](float one) { return one != std::trunc(one); });
    if (is_lost != right.end() && std::equal(got.begin(), got.end(), right.begin(), right.end(),
                                             [](float a, float b) { return a == std::trunc(b); }))
        found.push_back({"fractions are lost", "element " +
                                                   std::to_string(is_lost - right.begin()) +
                                                   " of the result must be " + show(*is_lost) +
                                                   ": does an int drop the fraction?"});
    std::vector<float> sorted = got;
    std::vector<float> sorted_right = right;
    std::ranges::sort(sorted);
    std::ranges::sort(sorted_right);
    add_if(sorted == sorted_right, "these are the right elements in another order");
    return found;
}

/// Says so if the host reads the result from the data, not from the buffer that scatter has written.
std::optional<KnownMistake> wrong_read_of_result(const wire::CallReply& seen) {
    const auto reads = [&](int argument) {
        const int buffer = hosts::buffer_of(seen.launches.back(), argument);
        return buffer != 0 && hosts::bytes_read_after(seen, buffer, seen.launches.size() - 1) != 0;
    };
    const std::string wrong = "the result is read from argument 0 (data) of scatter; it is in "
                              "argument 2 (result)";
    if (!reads(0) || reads(2))
        return {};
    return hosts::wrong_argument(wrong, wrong);
}

/// What is wrong with how the host reads the number of elements: the last one of `marks`, in the
/// buffer that mark has written.
std::optional<KnownMistake> wrong_read_of_count(const wire::CallReply& seen, std::size_t n) {
    const wire::GivenArgument* const marks = hosts::argument(seen.launches.front(), 1);
    const std::size_t word = sizeof(std::uint32_t);
    if (marks == nullptr || marks->size != n * word)
        return {};
    const auto reads_of = [&](const wire::Transfer& one) {
        return !one.writes && one.buffer == marks->buffer;
    };
    const auto reads_late = [&](const wire::Transfer& one) {
        return reads_of(one) && one.launches > 1;
    };
    if (seen.launches.size() > 1 && std::ranges::any_of(seen.transfers, reads_of) &&
        std::ranges::none_of(seen.transfers, reads_late)) {
        const std::string early = "marks are read before they are scanned: the number of elements "
                                  "is the last mark after the scan";
        return KnownMistake{early, early,
                            Hints{"When does the last mark hold the number of elements?"}};
    }
    std::vector<wire::Transfer> reads;
    std::copy_if(seen.transfers.begin(), seen.transfers.end(), std::back_inserter(reads),
                 [&](const wire::Transfer& one) {
                     return reads_of(one) && one.launches == seen.launches.size();
                 });
    const std::size_t last = (n - 1) * word;
    if (reads.size() != 1 || reads.front().bytes.size != word || reads.front().bytes.offset == last)
        return {};
    const std::size_t begin = reads.front().bytes.offset;
    return hosts::wrong_argument("the read begins at byte " + std::to_string(begin) +
                                     " of marks, but the last scanned mark, the number of "
                                     "elements, begins at byte " +
                                     std::to_string(last) +
                                     (begin == n - 1 && n > 1 ? ": offsets are in bytes" : ""),
                                 "the read of the number of elements");
}

/// A predicate: whether a launch runs `kernel`.
auto runs(const std::string& kernel) {
    return [kernel](const wire::Launch& one) { return one.kernel == kernel; };
}

/// Whether a launch of `first` comes before one of `second`.
bool comes_before(const std::vector<wire::Launch>& launches, const std::string& first,
                  const std::string& second) {
    const auto begin = std::ranges::find_if(launches, runs(first));
    return std::any_of(begin, launches.end(), runs(second));
}

/// Says so if the scan is launched before the kernel `writer`, which writes what it scans.
std::optional<KnownMistake> scan_before(const wire::CallReply& seen, const std::string& writer) {
    if (!comes_before(seen.launches, "scan_groups", writer) ||
        comes_before(seen.launches, writer, "scan_groups"))
        return {};
    const std::string early =
        "scan_groups is launched before " + writer + ", which writes what the scan reads";
    return KnownMistake{early, early, Hints{"In which order must the kernels run?"}};
}

/// Says so if nothing has scanned the marks that scatter gets.
std::optional<KnownMistake> unscanned_marks(const wire::CallReply& seen) {
    const int marks = hosts::buffer_of(seen.launches.front(), 1);
    const auto scans = [&](const wire::Launch& one) {
        return one.kernel == "scan_groups" && hosts::buffer_of(one, 0) == marks;
    };
    const bool scans_others = std::ranges::any_of(seen.launches, runs("scan_groups"));
    if (marks == 0 || hosts::buffer_of(seen.launches.back(), 1) != marks ||
        std::ranges::any_of(seen.launches, scans) || (!scans_others && seen.launches.size() != 2))
        return {};
    const std::string unscanned =
        std::string(
            "argument 1 of scatter, scanned_marks, is the buffer that mark has written, but "
            "scan_groups ") +
        (scans_others ? "has scanned another one" : "is not launched between the two");
    return hosts::wrong_argument(unscanned, unscanned);
}

/// Says so if mark has written a number for one of `n` elements that is no mark, and labgrind has run it.
std::optional<KnownMistake> wrong_mark(const Case& test, std::size_t n) {
    const std::vector<std::uint32_t> marks = test.words_left("mark", 1);
    for (std::size_t i = 0; i < std::min(marks.size(), n); ++i) {
        if (marks[i] > 1 && !wire::is_filling(marks[i]))
            return KnownMistake{.text = "mark writes " + std::to_string(marks[i]) +
                                        " for element " + std::to_string(i) +
                                        ": a mark is 1 for an element above 0, and 0 for any other",
                                .cause = "mark writes other numbers than 1 and 0",
                                .kernel = "scatter"};
    }
    return {};
}

/// Lets the next failure say what the host did wrong; `left` of `n` elements are kept.
void explain_compaction_by_host(Case& test, std::size_t n, std::size_t left,
                                std::size_t work_group_size) {
    const auto check = [=, &test](const wire::CallReply& seen) -> std::optional<KnownMistake> {
        using Role = hosts::Buffer::Role;
        if (auto mark = wrong_mark(test, n))
            return mark;
        if (auto early = scan_before(seen, "mark"))
            return early;
        if (seen.launches.empty() || seen.launches.front().kernel != "mark")
            return {};
        if (comes_before(seen.launches, "scatter", "scan_groups")) {
            const std::string early = "scatter is launched before the marks are scanned";
            return KnownMistake{
                early, early,
                Hints{"What must scanned_marks hold when scatter reads it?",
                      "Launch mark, then scan the marks on all levels, then launch scatter."}};
        }
        if (seen.launches.back().kernel != "scatter")
            return {};
        const wire::Launch& first = seen.launches.front();
        const wire::Launch& last = seen.launches.back();
        const std::size_t bytes = n * sizeof(float);
        hosts::Needs mark;
        mark.buffers = {{0, "data", Role::input, bytes, bytes}, {1, "marks", Role::other, bytes}};
        mark.numbers = {{2, "n", n, n, "the number of elements"}};
        hosts::Needs scatter;
        // How much of the result the host reads depends on what the kernels do.
        scatter.buffers = {
            {0, "data", Role::input, bytes, bytes},
            {1, "scanned_marks", Role::input, bytes, bytes},
            {2, "result", Role::other, std::max<std::size_t>(left, 1) * sizeof(float)}};
        scatter.numbers = {{3, "n", n, n, "the number of elements"}};
        if (auto wrong = mistake_around_scan(seen, {"mark", mark}, {"scatter", scatter},
                                             {n, work_group_size, sizeof(std::uint32_t)}))
            return wrong;
        const int data = hosts::buffer_of(first, 0);
        const int marks = hosts::buffer_of(first, 1);
        const std::string swapped =
            "arguments 0 (data) and 1 (scanned_marks) of scatter are swapped";
        if (data != 0 && marks != 0 && hosts::buffer_of(last, 0) == marks &&
            hosts::buffer_of(last, 1) == data)
            return hosts::wrong_argument(swapped, swapped);
        const std::string unmarked =
            "argument 1 of scatter, scanned_marks, is the buffer of data, not that of the marks";
        if (data != 0 && hosts::buffer_of(last, 1) == data)
            return hosts::wrong_argument(unmarked, unmarked);
        if (auto unscanned = unscanned_marks(seen))
            return unscanned;
        auto wrong_count = wrong_read_of_count(seen, n);
        return wrong_count ? wrong_count : wrong_read_of_result(seen);
    };
    test.explain_host_by(check, Case::Exceptions::explained);
}

/// Adds the mistakes that explain the result `here`, if there is one.
void add_guesses_of_compaction(Case& test, Failure& failure, std::size_t work_group_size,
                               const std::optional<std::vector<Mistake>>& here) {
    add_guesses(test, failure, work_group_size, here, [&](std::size_t n) {
        constexpr std::size_t enough = 50; // for elements of each kind
        std::vector<float> other = mixed_numbers(test.random(), std::max(n, n % 10 + enough));
        other.back() = 5; // is kept, so that its loss shows
        const Run run = test.compute(count_program, "compact", other, work_group_size);
        const auto found = run.array<float>();
        return compaction_mistakes(other, {found.begin(), found.end()});
    });
}

/// What the kernels of a compaction must leave.
std::optional<Words> right_words_of_compaction(std::size_t work_group_size,
                                               const LaunchWords& launch) {
    using launch_words::elements;
    using launch_words::first_elements;
    const launch_words::GroupScan<std::uint32_t> groups{work_group_size, false, std::plus<>(), 0};
    if (auto level = launch_words::after_level(launch, groups, "combine_offsets"))
        return level;
    if (launch.kernel == "mark") {
        const auto data = first_elements<float>(launch.given, 0, 2);
        std::vector<std::uint32_t> marks(data.size());
        std::ranges::transform(data, marks.begin(), is_above_0);
        return marks.empty() ? std::nullopt : std::optional(Words{{1, marks}});
    }
    const auto data = first_elements<float>(launch.given, 0, 3);
    const auto scanned_marks = elements<std::uint32_t>(launch.given, 1);
    auto result = elements<float>(launch.given, 2);
    if (launch.kernel != "scatter" || data.empty() || scanned_marks.size() < data.size())
        return std::nullopt;
    std::size_t count = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t place = scanned_marks[i];
        if (!is_above_0(data[i]) || place == 0 || place > result.size())
            continue;
        result[place - 1] = data[i];
        count = std::max(count, place);
    }
    result.resize(count);
    return Words{{2, launch_words::words_of(result)}};
}

/// A word that a kernel of a compaction leaves.
launch_words::Description describe_in_compaction(const WrongWord& wrong) {
    const bool is_float = wrong.kernel == "scatter";
    const auto number = [&](std::uint32_t word) {
        return is_float ? show(std::bit_cast<float>(word)) : std::to_string(word);
    };
    const std::string index = std::to_string(wrong.index);
    const bool is_sum = wrong.kernel == "scan_groups" && wrong.argument == 1;
    const std::string array = is_float                 ? "result["
                              : wrong.kernel == "mark" ? "marks["
                              : is_sum                 ? "group_sums["
                                                       : "values[";
    const std::string meaning = is_float                 ? "the element that belongs there"
                                : wrong.kernel == "mark" ? "the mark of element " + index
                                : is_sum                 ? "the sum of group " + index
                                : wrong.kernel == "combine_offsets"
                                    ? "with the sum of all groups before it, it"
                                    : "the sum of its group up to this element";
    return {array + index + "]", meaning, number(wrong.before), number(wrong.after),
            number(wrong.right)};
}

/// Adds which launch of a compaction leaves something wrong.
void add_wrong_launch_of_compaction(Case& test, Failure& failure, const std::vector<float>& values,
                                    std::size_t work_group_size) {
    const auto is_right = [&] {
        const Run run = test.compute(count_program, "compact", values, work_group_size);
        return std::ranges::equal(run.array<float>(), compacted(values));
    };
    const auto right = [&](const LaunchWords& launch) {
        return right_words_of_compaction(work_group_size, launch);
    };
    add_wrong_launch(test, failure, is_right, right, describe_in_compaction);
}

/// Ends the case if the host seems to have marked the elements: no kernel does, and the host has written
/// more than the `n` elements.
void check_marks(Case& test, const Run& run, std::size_t n) {
    const auto writes_all = [n](const wire::Transfer& one) {
        return one.writes && one.pattern.empty() && one.bytes.size >= n * sizeof(float);
    };
    if (std::ranges::none_of(run.seen.launches, runs("mark")) &&
        std::ranges::count_if(run.seen.transfers, writes_all) > 1)
        test.fail(count_program,
                  grader::failure_of_host("mark is not launched",
                                          "your host code writes marks of its own: the kernel mark "
                                          "must compute them"));
}

/// One compaction.
Run try_compaction(Case& test, const std::vector<float>& values, std::size_t work_group_size) {
    const std::vector<float> expected = compacted(values);
    test.let_host_see(2); // the number of elements; or the last place and the last mark
    explain_compaction_by_host(test, values.size(), expected.size(), work_group_size);
    test.explain_stray_writes_by([&test, work_group_size](Failure& failure) {
        add_guesses_of_compaction(test, failure, work_group_size, std::nullopt);
    });
    Run run = test.compute(count_program, "compact", values, work_group_size);
    const auto array = run.array<float>();
    const std::vector<float> got(array.begin(), array.end());
    test.show_result({expected.begin(), expected.end()}, {got.begin(), got.end()});
    if (got != expected) {
        const std::size_t shared = std::min(got.size(), expected.size());
        std::size_t first = 0;
        while (first < shared && got[first] == expected[first])
            ++first;
        test.end_if_only_judged();
        Failure failure{"wrong compaction"};
        failure.why.symptom = failure.what;
        failure.why.is_basic = values.size() <= 2 * work_group_size;
        if (got.size() != expected.size())
            failure.details.push_back("expected " + count_of(expected.size(), "element") + " of " +
                                      std::to_string(values.size()) + ", got " +
                                      std::to_string(got.size()));
        if (first < shared) {
            failure.details.push_back(
                "the first wrong element is element " + std::to_string(first) + " of the result: " +
                (is_poison(got[first])
                     ? "expected " + show(expected[first]) + ", but no kernel wrote it"
                     : compare_values(expected[first], got[first], 0)));
            if (!is_poison(got[first]))
                failure.why.hints = hints_for_value(expected[first], got[first]);
        }
        const std::string unseen = test.unseen();
        if (!unseen.empty()) {
            failure.details.push_back(unseen + "; the number of elements is enough");
            failure.why.hints = Hints{};
        } else {
            add_guesses_of_compaction(test, failure, work_group_size,
                                      compaction_mistakes(values, got));
            add_wrong_launch_of_compaction(test, failure, values, work_group_size);
        }
        test.fail(count_program, failure);
    }
    check_groups_of_scan(test, count_program, run, values.size(), work_group_size);
    check_marks(test, run, values.size());
    return run;
}

void check_values(Case& test, const std::vector<float>& values, std::size_t work_group_size,
                  const std::string& what) {
    test.trial(parameters(values.size(), work_group_size) + what,
               [&] { try_compaction(test, values, work_group_size); });
}

void check_compaction(Case& test, std::size_t n, std::size_t work_group_size) {
    check_values(test, mixed_numbers(test.random(), n), work_group_size, "");
}

// --- recurrence ----------------------------------------------------------------------------------

/// v(i + 1) = (1 - lambda[i]) * v(i) + lambda[i] * u[i] from v(0) = start.
struct Recurrence {
    float start = 0;
    std::vector<float> lambda;
    std::vector<float> u;

    std::size_t size() const { return u.size(); }
};

/// x -> a * x + b.
struct Map {
    double a = 1;
    double b = 0;

    double operator()(double x) const { return a * x + b; }
};

/// The map that applies `first` and then `second`.
Map compose(const Map& first, const Map& second) {
    return {second.a * first.a, second.a * first.b + second.b};
}

Map step(const Recurrence& given, std::size_t i) {
    const double lambda = given.lambda[i];
    return {1 - lambda, lambda * double{given.u[i]}};
}

/// v(1), v(2), ... with `next(v, i)` instead of the step.
template <class Next> std::vector<double> sequence(const Recurrence& given, const Next& next) {
    std::vector<double> v(given.size());
    double last = given.start;
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = last = next(last, i);
    return v;
}

std::vector<double> solved(const Recurrence& given) {
    return sequence(given, [&](double v, std::size_t i) { return step(given, i)(v); });
}

/// Whole numbers for which every scan is exact: a map's `a` is 1, -1 or 0, and its `b` is a sum of
/// some 2 * u or u, at most 2^24 in all. Nearly all steps depend on all before them.
Recurrence whole_recurrence(Random& random, std::size_t n) {
    constexpr std::uint64_t exact = std::uint64_t{1} << 24;
    constexpr std::uint64_t largest = 1000;
    const std::uint64_t most = std::min(largest, (exact - largest) / (2 * n));
    Recurrence given{static_cast<float>(1 + random() % largest), std::vector<float>(n),
                     std::vector<float>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        given.lambda[i] = random() % 4 == 0 ? 0.0F : 2.0F;
        given.u[i] = static_cast<float>(1 + random() % most);
    }
    given.lambda[random() % n] = 1; // forgets all before it
    return given;
}

/// Steps that all depend on those before them. u is small, so that its products are
/// exact, too.
Recurrence dependent_recurrence(Random& random, std::size_t n) {
    Recurrence given = whole_recurrence(random, n);
    for (float& one : given.u)
        one = 2 + std::fmod(one, 2.0F);
    std::ranges::replace(given.lambda, 1.0F, 2.0F);
    return given;
}

/// Fractions; `memory` is about how many steps a value lasts.
Recurrence random_recurrence(Random& random, std::size_t n, double memory) {
    std::uniform_real_distribution<float> lambda(0.0F, static_cast<float>(1 / memory));
    Recurrence given{1, std::vector<float>(n), random_floats(random, n)};
    std::ranges::generate(given.lambda, [&] { return lambda(random); });
    return given;
}

/// The error bound of each element. An element is a sum of products: the start, or a lambda[k] * u[k],
/// times 1 - lambda[m] for each later step m. A term rounds once where it is made, twice for each
/// later step (1 - lambda[m], and the product with it), and once in each addition that it passes
/// through: at most as many as there are steps, in any order of compositions. The start takes one
/// product and one addition more. So Higham's lemma 3.1 gives gamma_(3 i + 5) for element i, times
/// the sum of the terms' absolute values. A product that underflows is off by less than 2^-126.
std::vector<double> bounds_of(const Recurrence& given) {
    Recurrence magnitudes = given;
    magnitudes.start = std::fabs(given.start);
    std::vector<double> bounds = sequence(magnitudes, [&](double v, std::size_t i) {
        const Map map = step(given, i);
        return std::fabs(map.a) * v + std::fabs(map.b);
    });
    for (std::size_t i = 0; i < bounds.size(); ++i)
        bounds[i] = summation_bound(3 * i + 5, bounds[i]);
    return bounds;
}

/// What a scan in groups gives if the maps before each group are used as `use(before, own)`, where
/// `before` are the compositions of all groups before, and of the last one alone.
template <class Use> std::vector<double> in_groups(const Recurrence& given,
                                                   std::size_t work_group_size, const Use& use) {
    std::vector<double> v(given.size());
    Map before;
    Map last;
    for (std::size_t begin = 0; begin < v.size(); begin += work_group_size) {
        Map own;
        for (std::size_t i = begin; i < std::min(begin + work_group_size, v.size()); ++i) {
            own = compose(own, step(given, i));
            v[i] = use(before, last, own)(given.start);
        }
        before = compose(before, own);
        last = own;
    }
    return v;
}

using Combine = Map (*)(const Map& first, const Map& second);

/// What the kernels of a scan use instead of compose().
struct Combines {
    Combine in_groups = compose;
    Combine with_offsets = compose;
    Map identity = {};
    bool spares_first = false; ///< a step leaves elements alone that have nothing to their left
    bool takes_first = false;  ///< the sum of a group is its first element
};

/// Replaces `maps` by their inclusive scan with other functions, in the order of lab 4's kernels. The
/// order matters if they are not associative.
void scan_in_steps(std::vector<Map>& maps, std::size_t work_group_size, const Combines& with) {
    const std::size_t n = maps.size();
    const Map& identity = with.identity;
    std::vector<Map> sums;
    for (std::size_t begin = 0; begin < n; begin += work_group_size) {
        std::vector<Map> temp(work_group_size, identity);
        for (std::size_t i = begin; i < std::min(begin + work_group_size, n); ++i)
            temp[i - begin] = maps[i];
        for (std::size_t distance = 1; distance < work_group_size; distance *= 2) {
            const std::vector<Map> before = temp;
            for (std::size_t lid = with.spares_first ? distance : 0; lid < work_group_size; ++lid)
                temp[lid] = with.in_groups(lid >= distance ? before[lid - distance] : identity,
                                           before[lid]);
        }
        for (std::size_t i = begin; i < std::min(begin + work_group_size, n); ++i)
            maps[i] = temp[i - begin];
        sums.push_back(with.takes_first ? temp.front() : temp.back());
    }
    if (sums.size() == 1)
        return;
    scan_in_steps(sums, work_group_size, with);
    for (std::size_t i = work_group_size; i < n; ++i)
        maps[i] = with.with_offsets(sums[i / work_group_size - 1], maps[i]);
}

/// What the kernels compute with other functions.
std::vector<double> solved_with(const Recurrence& given, std::size_t work_group_size,
                                const Combines& with) {
    std::vector<Map> maps;
    for (std::size_t i = 0; i < given.size(); ++i)
        maps.push_back(step(given, i));
    scan_in_steps(maps, work_group_size, with);
    return sequence(given, [&](double /*v*/, std::size_t i) { return maps[i](given.start); });
}

/// What they compute if apply_maps adds before it multiplies.
std::vector<double> with_sum_multiplied(const Recurrence& given) {
    Map whole;
    return sequence(given, [&](double /*v*/, std::size_t i) {
        whole = compose(whole, step(given, i));
        return whole.a * (given.start + whole.b);
    });
}

using Pattern = std::pair<std::vector<double>, std::string>;

Map add(const Map& first, const Map& second) { return {first.a + second.a, first.b + second.b}; }

/// What kernels of the scan lead to that add.
std::vector<Pattern> sum_patterns(const Recurrence& given, std::size_t work_group_size) {
    const std::string only_for_marks = " adds the maps: + is right only for the marks; use COMBINE";
    std::vector<Pattern> patterns{{solved_with(given, work_group_size, {.with_offsets = add}),
                                   "combine_offsets" + only_for_marks}};
    for (const bool spares_first : {false, true}) {
        patterns.emplace_back(
            solved_with(given, work_group_size, {.in_groups = add, .spares_first = spares_first}),
            "scan_groups" + only_for_marks);
        patterns.emplace_back(
            solved_with(given, work_group_size,
                        {.in_groups = add, .with_offsets = add, .spares_first = spares_first}),
            "the scan" + only_for_marks);
    }
    return patterns;
}

/// What mistakes in compose(), in its identity and in its use lead to.
std::vector<Pattern> compose_patterns(const Recurrence& given, std::size_t work_group_size) {
    Map whole;
    Map swapped;
    const auto with = [&](Combine combine) {
        return solved_with(given, work_group_size, {.in_groups = combine, .with_offsets = combine});
    };
    return {
        {solved_with(given, work_group_size, {.identity = {0, 0}}),
         "the kernel uses (0, 0) instead of IDENTITY: (0, 0) discards the value, (1, 0) keeps it"},
        {with([](const Map& first, const Map& second) {
             const double a = first.a * second.a;
             return Map{a, a * first.b + second.b};
         }),
         "compose() multiplies the first b by both a: multiply it only by the second a"},
        {sequence(given,
                  [&](double /*v*/, std::size_t i) {
                      whole = compose(whole, step(given, i));
                      return whole.b * given.start + whole.a;
                  }),
         "apply_maps swaps the numbers of a map: the result is x * start + y"},
        {sequence(given,
                  [&](double /*v*/, std::size_t i) {
                      const Map right = step(given, i);
                      swapped = compose(swapped, {right.b, right.a});
                      return swapped(given.start);
                  }),
         "make_maps swaps the numbers of a map: x is 1 - lambda, y is lambda * u"},
        {solved_with(given, work_group_size, {.takes_first = true}),
         "a group's map in group_sums is only that of its first element: it must be the last "
         "element of the group's scan"},
        {with([](const Map& first, const Map& second) {
             return Map{first.a + second.a, second.a * first.b + second.b};
         }),
         "compose() adds both a: they must be multiplied"},
        {with([](const Map& first, const Map& second) {
             return Map{first.a * second.a, second.a * (first.b + second.b)};
         }),
         "compose() multiplies both b by the second a: only the first one must be multiplied"},
        {with([](const Map& first, const Map& second) {
             return Map{second.a, second.a * first.b + second.b};
         }),
         "compose() does not multiply: a is only the second map's, but must be the product of "
         "both"},
        {with([](const Map& first, const Map& second) {
             return Map{first.a, second.a * first.b + second.b};
         }),
         "compose() does not multiply: a is only the first map's, but must be the product of both"},
        {with([](const Map& first, const Map& second) {
             return Map{second.a * first.a, second.a * first.b + first.b};
         }),
         "compose() adds the first b where it must add the second: b is second.x * first.y + "
         "second.y"},
        {with([](const Map& first, const Map& second) {
             return Map{second.a * first.a, second.a * first.b};
         }),
         "compose() does not add the second b: b is second.x * first.y + second.y"},
    };
}

std::vector<Pattern> start_patterns(const Recurrence& given) {
    std::vector<double> late = solved(given);
    late.insert(late.begin(), double{given.start});
    late.pop_back();
    Recurrence from_zero = given;
    from_zero.start = 0;
    Recurrence from_one = given;
    from_one.start = 1;
    return {
        {late, "element i is v(i), but it should be v(i + 1): the scan must be inclusive, and "
               "apply_maps must use the map of place i for it"},
        {solved(from_zero), "the start is missing: the maps are applied to 0"},
        {solved(from_one),
         "the start is missing: the maps are applied to 1, or apply_maps adds their two numbers"}};
}

constexpr const char* swapped_inputs = "lambda and u are swapped";

/// The mistakes that explain the whole result.
std::vector<Mistake> recurrence_mistakes(const Recurrence& given, std::size_t work_group_size,
                                         std::span<const float> got) {
    const auto lambda = [&](std::size_t i) { return double{given.lambda[i]}; };
    const auto u = [&](std::size_t i) { return double{given.u[i]}; };
    Map reversed;
    Map sum;
    std::vector<Pattern> patterns{
        {std::vector<double>(given.size(), double{given.start}),
         "every element is the start: the scanned maps change nothing. Does compose() return both "
         "maps as one?"},
        {sequence(given,
                  [&](double v, std::size_t i) { return lambda(i) * v + step(given, i).a * u(i); }),
         "lambda and 1 - lambda are swapped"},
        {sequence(given, [&](double v, std::size_t i) { return step(given, i).a * v + u(i); }),
         "u is not multiplied by lambda"},
        {sequence(given, [&](double v, std::size_t i) { return step(given, i).a * (v + u(i)); }),
         "u is multiplied by 1 - lambda, not by lambda"},
        {sequence(given, [&](double v, std::size_t i) { return lambda(i) * v + lambda(i) * u(i); }),
         "v is multiplied by lambda, not by 1 - lambda"},
        {sequence(given,
                  [&](double /*v*/, std::size_t i) {
                      sum.a *= step(given, i).a;
                      sum.b += step(given, i).b;
                      return sum(given.start);
                  }),
         "compose() adds both b: the first one must be multiplied by the second a"},
        {with_sum_multiplied(given),
         "apply_maps multiplies the sum of start and b by a: only start must be multiplied"},
        {sequence(given,
                  [&](double /*v*/, std::size_t i) {
                      reversed = compose(step(given, i), reversed);
                      return reversed(given.start);
                  }),
         "the maps are composed in the wrong order: what is further left comes first"},
        {in_groups(given, work_group_size,
                   [](const Map& /*before*/, const Map& /*last*/, const Map& own) { return own; }),
         "every group is right by itself, but lacks the groups before it"},
        {in_groups(given, work_group_size,
                   [](const Map& /*before*/, const Map& last, const Map& own) {
                       return compose(last, own);
                   }),
         "every group uses only the group just before it, not all earlier groups: the results of "
         "the groups are not scanned"},
        {in_groups(given, work_group_size,
                   [](const Map& before, const Map& /*last*/, const Map& own) {
                       return compose(own, before);
                   }),
         "each group is composed with the groups before it in the wrong order: the groups before "
         "it come first"},
    };
    for (const auto& more : {start_patterns(given), compose_patterns(given, work_group_size),
                             sum_patterns(given, work_group_size)})
        patterns.insert(patterns.end(), more.begin(), more.end());
    const std::vector<double> right = solved(given);
    std::vector<Mistake> found;
    const std::vector<double> swapped =
        sequence(given, [&](double v, std::size_t i) { return (1 - u(i)) * v + lambda(i) * u(i); });
    constexpr std::size_t exact = 8; // elements; later ones are too large for a float
    const std::size_t compared = std::min(exact, got.size());
    if (std::ranges::equal(got.first(compared), std::span(swapped).first(compared)))
        found.push_back(plain(swapped_inputs));
    for (const auto& [values, mistake] : patterns) {
        if (values != right && std::equal(got.begin(), got.end(), values.begin(), values.end()))
            found.push_back(plain(mistake));
    }
    return found;
}

/// What is wrong with the start that the host passes.
std::optional<KnownMistake> wrong_start(const wire::CallReply& seen, float start) {
    const wire::Launch* const last = seen.launches.empty() ? nullptr : &seen.launches.back();
    const wire::GivenArgument* const given =
        last == nullptr || last->kernel != "apply_maps" ? nullptr : hosts::argument(*last, 1);
    if (given == nullptr || given->kind != wire::LaunchArgument::Kind::value ||
        given->size != sizeof start || given->value == std::bit_cast<std::uint32_t>(start))
        return {};
    const std::string name = hosts::name_argument(*last, 1, "start");
    const auto whole = static_cast<std::uint32_t>(static_cast<std::int32_t>(start));
    if (given->value == whole)
        return hosts::wrong_argument(name + " is the int " +
                                         std::to_string(static_cast<std::int32_t>(whole)) +
                                         ", but the kernel takes a float: pass a cl_float",
                                     name);
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(given->value));
    return hosts::wrong_argument(name + " is " + show(value) + ", but must be " + show(start) +
                                     ", the start of the recurrence",
                                 name);
}

/// Lets the next failure say what the host did wrong.
void explain_recurrence_by_host(Case& test, std::size_t n, float start,
                                std::size_t work_group_size) {
    test.explain_host_by([=](const wire::CallReply& seen) -> std::optional<KnownMistake> {
        using Role = hosts::Buffer::Role;
        if (auto early = scan_before(seen, "make_maps"))
            return early;
        const std::size_t bytes = n * sizeof(float);
        hosts::Needs make_maps;
        make_maps.buffers = {{0, "lambda", Role::input, bytes, bytes},
                             {1, "u", Role::input, bytes, bytes},
                             {2, "maps", Role::other, 2 * bytes}};
        make_maps.numbers = {{3, "n", n, n, "the number of elements"}};
        hosts::Needs apply_maps;
        apply_maps.buffers = {{0, "scanned_maps", Role::input, 2 * bytes, 2 * bytes},
                              {2, "v", Role::output, bytes}};
        apply_maps.numbers = {{3, "n", n, n, "the number of elements"}};
        auto wrong = mistake_around_scan(seen, {"make_maps", make_maps}, {"apply_maps", apply_maps},
                                         {n, work_group_size, 2 * sizeof(float)});
        return wrong ? wrong : wrong_start(seen, start);
    });
}

/// Says so if the inputs are swapped and the host does that.
void blame_host_for_swap(Case& test, Failure& failure, const Recurrence& given,
                         std::size_t work_group_size) {
    if (failure.why.guesses != std::vector<std::string>{swapped_inputs})
        return;
    std::vector<std::uint32_t> lambda; // as the kernel gets it
    test.examine_interpreted([&] {
        test.compute(map_program, "solve_recurrence", given.start, given.lambda, given.u,
                     work_group_size);
        lambda = test.words_left("make_maps", 0);
    });
    if (!std::ranges::equal(lambda, given.u, {}, {},
                            [](float value) { return std::bit_cast<std::uint32_t>(value); }))
        return;
    failure.why.guesses.clear();
    failure.why.cause = Explanation::Cause::host;
    failure.why.mistake =
        "in your host code, arguments 0 and 1 of make_maps are swapped: argument 0 is lambda, and "
        "argument 1 is u";
    failure.details.push_back(failure.why.mistake);
}

/// A map as the kernels store it.
struct StoredMap {
    float a;
    float b;
};

/// What the kernels of a recurrence must leave.
std::optional<Words> right_words_of_recurrence(std::size_t work_group_size,
                                               const LaunchWords& launch) {
    using launch_words::elements;
    using launch_words::first_elements;
    const auto combine = [](StoredMap first, StoredMap second) {
        return StoredMap{second.a * first.a, second.a * first.b + second.b};
    };
    const launch_words::GroupScan<StoredMap> groups{work_group_size, false, combine, {1, 0}};
    if (auto level = launch_words::after_level(launch, groups, "combine_offsets"))
        return level;
    if (launch.kernel == "make_maps") {
        const auto lambda = first_elements<float>(launch.given, 0, 3);
        const auto u = elements<float>(launch.given, 1);
        std::vector<StoredMap> maps(std::min(lambda.size(), u.size()));
        for (std::size_t i = 0; i < maps.size(); ++i)
            maps[i] = {1 - lambda[i], lambda[i] * u[i]};
        return maps.empty() ? std::nullopt
                            : std::optional(Words{{2, launch_words::words_of(maps)}});
    }
    const auto maps = first_elements<StoredMap>(launch.given, 0, 3);
    const auto start = elements<float>(launch.given, 1);
    if (launch.kernel != "apply_maps" || maps.empty() || start.size() != 1)
        return std::nullopt;
    std::vector<float> v(maps.size());
    std::ranges::transform(maps, v.begin(),
                           [&](const StoredMap& map) { return map.a * start.front() + map.b; });
    return Words{{2, launch_words::words_of(v)}};
}

/// A word that a kernel of a recurrence leaves.
launch_words::Description describe_in_recurrence(const WrongWord& wrong) {
    const auto number = [](std::uint32_t word) { return show(std::bit_cast<float>(word)); };
    const bool is_map = wrong.kernel != "apply_maps";
    const bool is_sum = wrong.kernel == "scan_groups" && wrong.argument == 1;
    const std::string index = std::to_string(is_map ? wrong.index / 2 : wrong.index);
    const std::string array = wrong.kernel == "make_maps" ? "maps["
                              : !is_map                   ? "v["
                              : is_sum                    ? "group_sums["
                                                          : "values[";
    const std::string component = wrong.index % 2 == 0 ? "x" : "y";
    const auto composition = [&](const std::string& maps) {
        return "in the composition of " + maps + ", " + component;
    };
    const std::string meaning =
        !is_map                             ? "the map of place " + index + ", applied to start,"
        : is_sum                            ? composition("all maps of group " + index)
        : wrong.kernel == "combine_offsets" ? composition("all maps up to this one")
        : wrong.kernel == "scan_groups"     ? composition("its group's maps up to this one")
        : component == "x"                  ? "1 - lambda[" + index + "]"
                                            : "lambda[" + index + "] * u[" + index + "]";
    return {array + index + (is_map ? "]." + component : "]"), meaning, number(wrong.before),
            number(wrong.after), number(wrong.right)};
}

/// Adds which launch of a recurrence leaves something wrong.
void add_wrong_launch_of_recurrence(Case& test, Failure& failure, const Recurrence& given,
                                    std::size_t work_group_size) {
    const auto is_right = [&] {
        const Run run = test.compute(map_program, "solve_recurrence", given.start, given.lambda,
                                     given.u, work_group_size);
        return std::ranges::equal(run.array<float>(), solved(given), {},
                                  [](float value) { return double{value}; });
    };
    const auto right = [&](const LaunchWords& launch) {
        return right_words_of_recurrence(work_group_size, launch);
    };
    add_wrong_launch(test, failure, is_right, right, describe_in_recurrence);
}

/// One recurrence. Without `bounds`, every element must be exact.
Run try_recurrence(Case& test, const Recurrence& given, std::size_t work_group_size,
                   const std::vector<double>& bounds = {}) {
    const std::size_t n = given.size();
    test.let_host_see(0);
    explain_recurrence_by_host(test, n, given.start, work_group_size);
    Run run = test.compute(map_program, "solve_recurrence", given.start, given.lambda, given.u,
                           work_group_size);
    const auto got = run.array<float>();
    if (got.size() != n)
        test.fail(map_program, {.what = "wrong length of the result",
                                .details = {"expected " + count_of(n, "element") + ", got " +
                                            std::to_string(got.size())},
                                .why = {.hints = hints::length_of_result()}});
    const std::vector<double> expected = solved(given);
    const auto allowed = [&](std::size_t i) { return bounds.empty() ? 0 : bounds[i]; };
    std::size_t first = n;
    std::size_t wrong = 0;
    for (std::size_t i = n; i-- > 0;) {
        if (std::fabs(double{got[i]} - expected[i]) <= allowed(i)) // false for a NaN
            continue;
        ++wrong;
        first = i;
    }
    if (wrong != 0) {
        test.end_if_only_judged();
        Failure failure{"wrong recurrence",
                        {std::to_string(wrong) + " of " + count_of(n, "element") +
                             (wrong == 1 ? " is" : " are") + " wrong, the first is element " +
                             std::to_string(first) + " (group " +
                             std::to_string(first / work_group_size) + ", local id " +
                             std::to_string(first % work_group_size) + ")",
                         compare_values(expected[first], got[first], allowed(first))},
                        ""};
        failure.why.symptom =
            bounds.empty() ? failure.what : failure.what + " of floats that round";
        failure.why.wider_symptom = failure.what;
        failure.why.is_basic = n <= 2 * work_group_size;
        failure.why.hints = hints_for_value(expected[first], got[first]);
        const bool is_far_off = std::fabs(double{got[first]} - expected[first]) >
                                0.01 * std::max(1.0, std::fabs(expected[first]));
        const bool has_fractions = !bounds.empty() && !test.is_in_other_schedule();
        const std::string by_host = hosts::returns_another(test, expected);
        if (!by_host.empty()) {
            failure.details.push_back(by_host);
            test.fail(map_program, failure);
        }
        std::optional<std::vector<Mistake>> here;
        if (bounds.empty())
            here = recurrence_mistakes(given, work_group_size, got);
        const auto explain = [&](std::size_t other_n) {
            const Recurrence other = dependent_recurrence(test.random(), other_n);
            const Run run = test.compute(map_program, "solve_recurrence", other.start, other.lambda,
                                         other.u, work_group_size);
            const auto found = run.array<float>();
            const std::vector<double> right = solved(other);
            if (!std::equal(found.begin(), found.end(), right.begin(), right.end()))
                return recurrence_mistakes(other, work_group_size, found);
            if (has_fractions && is_far_off)
                return std::vector<Mistake>{
                    plain("whole numbers are right, so fractions get lost: is a variable an int, "
                          "or is a large sum subtracted again?")};
            return std::vector<Mistake>{};
        };
        add_guesses(test, failure, work_group_size, here, explain);
        if (failure.why.guesses.empty() && here &&
            n == 1) // a second mistake can be in what is composed
            add_confirmed_guesses(test, failure, {1, 1, 1}, here, explain);
        if (bounds.empty())
            add_wrong_launch_of_recurrence(test, failure, given, work_group_size);
        blame_host_for_swap(test, failure, given, work_group_size);
        test.fail(map_program, failure);
    }
    check_groups_of_scan(test, map_program, run, n, work_group_size);
    return run;
}

void check_whole_recurrence(Case& test, std::size_t n, std::size_t work_group_size) {
    const Recurrence given = whole_recurrence(test.random(), n);
    test.trial(parameters(n, work_group_size),
               [&] { try_recurrence(test, given, work_group_size); });
}

void check_random_recurrence(Case& test, std::size_t n, std::size_t work_group_size,
                             double memory) {
    const Recurrence given = random_recurrence(test.random(), n, memory);
    const std::vector<double> bounds = bounds_of(given);
    test.trial(parameters(n, work_group_size) + ", floats that round",
               [&] { try_recurrence(test, given, work_group_size, bounds); });
}

// --- all of them ---------------------------------------------------------------------------------

/// The work-group sizes that a scan allows if its local memory has two elements for each work-item.
std::vector<std::size_t> scan_sizes(Case& test) {
    return group_sizes(test, map_program, "scan_groups", 4 * sizeof(float));
}

/// For the analysis.
void check_small(Case& test) {
    for (const SmallTrial& trial : {SmallTrial{1, 2}, {37, 8}, {300, 64}})
        check_whole_dot(test, trial.n, trial.work_group_size);
    // A compaction of one element can be right by luck, although it writes outside its buffer.
    for (const SmallTrial& trial : {SmallTrial{50, 2}, {1, 2}, {100, 8}, {300, 64}})
        check_compaction(test, trial.n, trial.work_group_size);
    for (const SmallTrial& trial : {SmallTrial{1, 2}, {50, 2}, {100, 8}, {300, 64}})
        check_whole_recurrence(test, trial.n, trial.work_group_size);
    // A kernel may behave differently with other numbers.
    check_random_dot(test, 300, 32);
    check_values(test, mixed_numbers(test.random(), 40, 0), 16, ", none is kept");
    check_random_recurrence(test, 200, 32, 10);
    // One group of each remaining size: an array can be too small for it, or it can have a special
    // step.
    for (const std::size_t size : scan_sizes(test)) {
        if (size <= 64)
            continue;
        check_whole_dot(test, size - 1, size);
        check_compaction(test, size - 1, size);
        check_whole_recurrence(test, size - 1, size);
    }
    check_random_dot(test, hundreds_of_groups * 4 - 1, 4);
    check_random_recurrence(test, hundreds_of_groups * 4 - 1, 4, 100);
    watch_many_groups(test, [&](std::size_t n, std::size_t size) {
        const Factors factors = random_factors(test.random(), n);
        test.compute(dot_program, "dot_product", factors.x, factors.y, size);
    });
}

/// Ends the case with a failure unless the work-items of `kernel` share the additions of `n`
/// elements in groups of `size`. `word_bytes` has what is combined at once.
void check_shared(Case& test, const Program& program, const std::string& kernel, std::size_t n,
                  std::size_t size, std::size_t word_bytes, const std::function<void()>& body) {
    const auto work = test.count_work(body);
    const std::size_t steps = steps_of(size);
    std::uint64_t alone = 0;
    for (const wire::WorkCounts& one : work) {
        check_span(test, program, one, span_of_tree(size, 1, word_bytes / sizeof(float)));
        // The results of the groups are scanned in the same way. Twice what the busiest work-item
        // of a scan does is less than going through all of them.
        alone += one.kernel == kernel ? 0 : lone_additions(one, n);
        if (alone > 4 * steps + 8)
            test.fail(program, {std::to_string(alone) +
                                    " additions are done by work-items that do not share them "
                                    "within their groups",
                                {show_work(one)},
                                one.kernel});
    }
    const wire::WorkCounts counts = total_work(work, kernel);
    if (counts.additions < n / 2)
        test.fail(program, {kernel + " does not do most of the additions: it does " +
                                std::to_string(counts.additions) + " for " + count_of(n, "element"),
                            {show_work(counts)},
                            kernel});
    check_loads(test, program, work, {n * word_bytes, word_bytes, size});
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab9",
            "Applications of reduction and scan",
            {{dot_program.file, {"dot_groups"}, {dot_program.options}},
             {scan_file,
              {"mark", "scatter", "make_maps", "apply_maps", "scan_groups", "combine_offsets"},
              {count_program.options, map_program.options}}},
            check_small,
            {[](Case& test) {
                const std::vector<float> values{3, -1, 7, 0, 4, 1, -6, 3, 0, 2};
                check_values(test, values, 4, "");
            }}};
}

// The cases are worth no points, so the lab is optional; an instructor can give them some.

TEST_CASE(
    "dot product: every length" * points(0) *
    hint("Is the result right for one group, and wrong for two? Or wrong from the start?",
         "It is the reduction of lab 1, but each work-item first multiplies its two elements. "
         "Work-items beyond n take part with 0.",
         "sums[lid] is x[gid] * y[gid] if gid is below n, and 0 otherwise. Then barrier, tree, "
         "and work-item 0 writes sums[0] to results[get_group_id(0)]. The host adds up one "
         "float for each group.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 70000))
        check_whole_dot(test, n, 64);
}

TEST_CASE("dot product: floats that round" * points(0) *
          hint("If whole numbers pass, look for a place where a fraction gets lost.",
               "Products and sums are floats, in the kernel and on the host.",
               "Check the type of sums, and the start value of std::accumulate: 0 is an int, 0.0F "
               "is a float.")) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537})
        check_random_dot(test, n, 128);
}

TEST_CASE("root mean square" * points(0) *
          hint("Write down the name from right to left: square, mean, root.",
               "The sum of squares is a dot product. Then comes the mean, then the root.",
               "Return std::sqrt(dot_product(setup, x, x, work_group_size) / n), where n is the "
               "number of elements, converted to float.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 5000))
        check_rms(test, whole_roots(test.random(), n), 64, 0);
    for (const std::size_t n : {1, 2, 1000, 65537})
        check_rms(test, random_floats(test.random(), n), 128, n);
}

TEST_CASE(
    "compaction: every length" * points(0) *
    hint("Take the numbers 5, -2, 0 and 8. Write down the marks, their scan, and the place of each "
         "kept element.",
         "An element goes to the place that is the number of kept elements before it. The scan "
         "of the marks has that number, or one more if it includes the element itself.",
         "mark writes 1 or 0, scan_groups and combine_offsets scan the marks, and scatter "
         "writes data[gid] to result[scanned_marks[gid] - 1] if data[gid] is above 0. The last "
         "element of the scan is the number of elements.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 70000))
        check_compaction(test, n, 64);
}

TEST_CASE("compaction: all or none" * points(0) *
          hint("What does your code do if no element is kept, or only the last one?",
               "The last scanned mark counts all kept elements, including the last one of the "
               "input. It can be 0, and OpenCL rejects a read of 0 bytes.",
               "The number is the last of the scanned marks, at n - 1. download() from launch.hpp "
               "can take 0. An element that is 0 is not kept.")) {
    Case test;
    for (const std::size_t n : {1, 64, 65, 1000}) {
        check_values(test, mixed_numbers(test.random(), n, 0), 64, ", none is kept");
        check_values(test, std::vector<float>(n, 0), 64, ", all are 0");
        check_values(test, mixed_numbers(test.random(), n, 100), 64, ", all are kept");
        check_values(test, mixed_numbers(test.random(), n, 1), 64, ", few are kept");
        std::vector<float> one = mixed_numbers(test.random(), n, 0);
        one.back() = 5;
        check_values(test, one, 64, ", only the last one is kept");
        one.back() = -5;
        one.front() = 5;
        check_values(test, one, 64, ", only the first one is kept");
    }
}

TEST_CASE(
    "recurrence: every length" * points(0) *
    hint("Solve two steps by hand: what is v(2), as a map of v(0)?",
         "A step multiplies v by 1 - lambda and adds lambda * u. compose(first, second) applies "
         "first and then second; first is the map that is further left.",
         "second(first(x)) is second.x * (first.x * x + first.y) + second.y. In the scan, call "
         "COMBINE(left, temp[lid]) and COMBINE(scanned_sums[group - 1], values[gid]). Element i "
         "is maps[i].x * start + maps[i].y.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 70000))
        check_whole_recurrence(test, n, 64);
}

TEST_CASE(
    "recurrence: floats that round" * points(0) *
    hint("If whole numbers pass, look for a place where a fraction gets lost, or for a mistake "
         "that appears only if lambda is between 0 and 1.",
         "Both parts of a map are floats. 1 - lambda is not the same as 1 / lambda or -lambda.",
         "make_maps writes (float2)(1.0f - lambda[gid], lambda[gid] * u[gid]).")) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537}) {
        check_random_recurrence(test, n, 128, 1);
        check_random_recurrence(test, n, 128, static_cast<double>(n));
    }
}

TEST_CASE("scans: three levels and more" * points(0) *
          hint("How many groups are there, and how many elements can one group scan?",
               "The results of the groups can be more than one group takes. Let the function that "
               "scans a buffer call itself for them.",
               "Write one function for both scans that takes the buffer, n and the bytes of an "
               "element: launch scan_groups; if there is more than one group, call the function "
               "itself for the group sums, and then launch combine_offsets.")) {
    Case test;
    for (const std::size_t size : {2, 4, 8}) {
        const std::size_t cube = size * size * size;
        for (const std::size_t n : {cube - 1, cube, cube + 1, size * cube + 1, 8 * cube + 1}) {
            check_compaction(test, n, size);
            check_whole_recurrence(test, n, size);
        }
    }
}

TEST_CASE("every work-group size" * points(0) *
          hint("Do some work-group sizes work? Then look for a number in your code that is one of "
               "those sizes.",
               "Compute the local memory and the number of groups from work_group_size, and the "
               "distances from get_local_size(0).",
               "Pass cl::Local(work_group_size * element_bytes): a map has twice the bytes of a "
               "mark.")) {
    Case test;
    for (const std::size_t size : scan_sizes(test)) {
        for (const std::size_t n : {size - 1, 3 * size + 1, std::size_t{5000}}) {
            check_whole_dot(test, n, size);
            check_compaction(test, n, size);
            check_whole_recurrence(test, n, size);
        }
    }
}

TEST_CASE("millions of elements" * points(0) *
          hint("If short inputs pass, look for what grows with the input.",
               "Sizes in bytes and in elements do not fit into 16 bits, and there are very many "
               "groups.",
               "Use std::size_t on the host and size_t or uint in the kernel. Marks and their scan "
               "are uint: a uchar or a short is too small for the scan.")) {
    Case test;
    check_whole_dot(test, test.affordable((std::size_t{1} << 22) + 1), 64);
    check_compaction(test, test.affordable((std::size_t{1} << 22) + 1), 64);
    check_whole_recurrence(test, test.affordable((std::size_t{1} << 20) - 1), 128);
}

TEST_CASE(
    "the kernels do the work" * points(0) *
    hint("The message says which launch or read is different.",
         "The host adds up one float for each group of the dot product. It reads only the "
         "number and the elements of a compaction, and only the results of a recurrence.",
         "Launch dot_groups and scan_groups with the work-group size of the call. Use upload(), "
         "launch() and download() from launch.hpp.")) {
    Case test;
    const std::size_t size = 32;
    for (const std::size_t n : {20 * size - 7, 20 * size}) {
        const Factors factors = whole_factors(test.random(), n);
        test.trial(parameters(n, size), [&] {
            const Run run = try_dot(test, factors, size);
            check_reads(test, dot_program, run, groups_for(n, size) + 1);
            test.require_kernels(dot_program, run, sizeof(float), "dot_product", factors.x,
                                 factors.y, size);
        });
        const std::vector<float> values = mixed_numbers(test.random(), n);
        test.trial(parameters(n, size), [&] {
            const Run run = try_compaction(test, values, size);
            const std::size_t left = compacted(values).size();
            check_reads(test, count_program, run, left + 2); // see try_compaction()
            test.require_kernels(count_program, run, 0, "compact", values, size);
        });
        const Recurrence given = whole_recurrence(test.random(), n);
        test.trial(parameters(n, size), [&] {
            const Run run = try_recurrence(test, given, size);
            check_reads(test, map_program, run, n);
            test.require_kernels(map_program, run, n * sizeof(float), "solve_recurrence",
                                 given.start, given.lambda, given.u, size);
        });
    }
}

TEST_CASE("the work is shared" * points(0) *
          hint("Compare the additions of the busiest work-item with those of its group.",
               "Use the tree of lab 1, and use the scan of lab 4 both for the elements and for the "
               "results of the groups: no work-item goes through all elements of its group.",
               "Every work-item loads one element and takes part in every step. The results of the "
               "groups are scanned by another launch of scan_groups, not by a loop.")) {
    Case test;
    // In small groups a few work-items can add as fast as all of them. Only with many groups does it
    // show who scans their results. Large groups and many of them take four times as long as both.
    struct Shape {
        std::size_t groups;
        std::size_t most; ///< work-items of each
    };
    for (const Shape& shape : {Shape{3, 256}, Shape{40, 64}}) {
        const std::size_t size = std::min(scan_sizes(test).back(), shape.most);
        const std::size_t n = shape.groups * size - 1; // the last group is not full
        check_shared(test, dot_program, "dot_groups", n, size, sizeof(float),
                     [&] { check_whole_dot(test, n, size); });
        check_shared(test, count_program, "scan_groups", n, size, sizeof(float),
                     [&] { check_compaction(test, n, size); });
        check_shared(test, map_program, "scan_groups", n, size, 2 * sizeof(float),
                     [&] { check_whole_recurrence(test, n, size); });
    }
}

TEST_CASE(
    "no data race" * points(0) * reports(findings::races_and_locks) *
    hint("Find the two accesses that the message names. Do they belong to the same group?",
         "Within a group, a barrier must be between a write and a read by another work-item. In "
         "scatter, two work-items write to one place only if the scan of the marks is wrong.",
         "The tree needs a barrier in every round. A step of the scan needs two: one between "
         "reading and writing, and one at its end. If scatter is named, scan the results of "
         "the groups, and combine each with the elements of the next group.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("barriers reached by all" * points(0) * reports(findings::barriers) * hints::barriers()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("inside its buffers" * points(0) * reports(findings::bounds) * hints::bounds()) {
    Case test;
    test.require_no_findings();
}
