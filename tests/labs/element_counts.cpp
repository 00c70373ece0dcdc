#include "element_counts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace element_counts {
namespace {

using Indices = std::vector<std::size_t>;

/// Measuring more elements one by one would take many calls.
constexpr std::size_t most_elements = 800;
/// Of more elements, only the first and the last one with a wrong count are searched.
constexpr std::size_t most_searched = 1 << 18;

/// A call measures `elements`: their values are the powers of `base`, so the digits of the sum are their
/// counts. No sum needs more than the 24 bits of a float.
struct Digits {
    std::size_t elements;
    int base;
};
constexpr Digits several{7, 8};
constexpr Digits single{1, 1 << 21}; ///< for counts above 7

std::string list_of(const std::vector<std::string>& parts) {
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string times(int count) { return count == 2 ? "twice" : std::to_string(count) + " times"; }

/// Whether `set` has exactly the indices below `n` that `belongs` names.
template <class Belongs> bool is_all(const Indices& set, std::size_t n, const Belongs& belongs) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < n; ++i)
        found += belongs(i) ? 1 : 0;
    return found == set.size() && std::ranges::all_of(set, belongs);
}

/// "lanes y and w of each float4", perhaps but the first; "" if the set is something else.
std::string lanes_in_words(const Indices& set, std::size_t n, std::size_t lanes) {
    constexpr std::size_t vectors = 2; // fewer elements can be a lane by chance
    if (lanes < 2 || n < vectors * lanes)
        return {};
    std::vector<bool> is_in(lanes);
    for (const std::size_t i : set)
        is_in[i % lanes] = true;
    const std::size_t begin = !set.empty() && set.front() >= lanes ? lanes : 0;
    if (!is_all(set, n, [&](std::size_t i) { return i >= begin && is_in[i % lanes]; }))
        return {};
    std::vector<std::string> names;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (is_in[lane])
            names.emplace_back(1, "xyzw"[lane % 4]);
    }
    return (names.size() == 1 ? "lane " : "lanes ") + list_of(names) + " of each float" +
           std::to_string(lanes) + (begin == 0 ? "" : " but the first");
}

/// "1st", "2nd", "3rd", "4th", "11th".
std::string ordinal(std::size_t number) {
    const std::size_t last = number / 10 % 10 == 1 ? 0 : number % 10;
    return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string run_in_words(const Indices& set) {
    const std::size_t first = set.front();
    const std::size_t last = set.back();
    if (set.size() == 1)
        return "element " + std::to_string(first);
    if (last - first + 1 == set.size())
        return "elements " + std::to_string(first) + (set.size() == 2 ? " and " : " to ") +
               std::to_string(last);
    const std::size_t step = set[1] - first;
    for (std::size_t i = 2; i < set.size(); ++i) {
        if (set[i] - set[i - 1] != step)
            return {};
    }
    if (set.size() == 2)
        return {};
    return "every " + (step == 2 ? "second" : ordinal(step)) + " element from " +
           std::to_string(first) + " to " + std::to_string(last);
}

/// "elements 0, 3 to 5 and 20 more"
std::string runs_in_words(const Indices& set) {
    constexpr std::size_t most_runs = 3;
    std::vector<std::string> runs;
    std::size_t begin = 0;
    while (begin < set.size() && runs.size() < most_runs) {
        std::size_t end = begin + 1;
        while (end < set.size() && set[end] == set[end - 1] + 1)
            ++end;
        runs.push_back(std::to_string(set[begin]) +
                       (end - begin == 1 ? "" : " to " + std::to_string(set[end - 1])));
        begin = end;
    }
    if (begin < set.size())
        runs.push_back(std::to_string(set.size() - begin) + " more");
    return "elements " + list_of(runs);
}

/// "elements 32 to 63 of each 64"; "" if the set is something else.
std::string repeated_in_words(const Indices& set, std::size_t n, std::size_t period) {
    if (period == 0 || n < 2 * period)
        return {};
    Indices first;
    std::ranges::copy_if(set, std::back_inserter(first), [&](std::size_t i) { return i < period; });
    const auto belongs = [&](std::size_t i) {
        return std::ranges::binary_search(first, i % period);
    };
    const std::string words = first.empty() ? "" : run_in_words(first);
    return words.empty() || !is_all(set, n, belongs) ? ""
                                                     : words + " of each " + std::to_string(period);
}

std::string in_words(const Indices& set, std::size_t n, const Layout& layout) {
    if (set.size() == n && n > 1)
        return "every element";
    std::string lanes = lanes_in_words(set, n, layout.lanes);
    if (!lanes.empty())
        return lanes;
    if (set.size() > 1 && set.back() == n - 1 && n - set.front() == set.size())
        return "the last " + std::to_string(set.size()) + " elements";
    std::string run = run_in_words(set);
    if (!run.empty())
        return run;
    std::string repeated = repeated_in_words(set, n, layout.per_group);
    for (std::size_t period = 2; repeated.empty() && period <= n / 2; period *= 2)
        repeated = repeated_in_words(set, n, period);
    if (!repeated.empty())
        return repeated;
    return runs_in_words(set);
}

bool is_plural(const std::string& words) {
    return words.starts_with("elements") || words.starts_with("lanes") ||
           words.starts_with("the last ");
}

/// The counts of `n` elements; nothing if they are not from 0 to the base.
std::optional<std::vector<int>> measure(std::size_t n, Digits digits, const Sum& sum) {
    std::vector<int> counts;
    while (counts.size() < n) {
        std::vector<float> values(n);
        const std::size_t begin = counts.size();
        const std::size_t end = std::min(n, begin + digits.elements);
        for (std::size_t i = begin; i < end; ++i)
            values[i] = static_cast<float>(std::pow(digits.base, i - begin));
        double left = sum(values);
        if (!(left >= 0 && left < std::pow(digits.base, digits.elements)) ||
            left != std::floor(left))
            return std::nullopt;
        for (std::size_t i = begin; i < end; ++i) {
            counts.push_back(static_cast<int>(std::fmod(left, digits.base)));
            left = std::floor(left / digits.base);
        }
    }
    return counts;
}

/// Whether elements that count so often have the sum `got`.
bool explains(const std::vector<int>& counts, const std::vector<float>& values, double got) {
    return std::inner_product(values.begin(), values.end(), counts.begin(), 0.0, std::plus<>(),
                              [](float value, int count) { return double{value} * count; }) == got;
}

/// What a sum counts of more elements than can be measured one by one.
class Search {
  public:
    Search(std::size_t n, const std::function<bool(std::size_t i)>& right, const Sum& sum)
        : n_(n), right_(right), sum_(sum) {}

    /// The elements from the first to the last one with a wrong count; empty if no count is wrong.
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;

        std::size_t size() const { return end - begin; }
    };
    Range find() const {
        if (!is_wrong({0, n_}))
            return {};
        std::size_t begin = 0; // those before it are right
        for (std::size_t end = n_; end - begin > 1;) {
            const std::size_t middle = begin + (end - begin) / 2;
            (is_wrong({0, middle}) ? end : begin) = middle;
        }
        std::size_t end = n_; // those from it on are right
        for (std::size_t last = begin; end - last > 1;) {
            const std::size_t middle = last + (end - last) / 2;
            (is_wrong({middle, n_}) ? last : end) = middle;
        }
        return {begin, end};
    }

    /// The end of the elements that are missing from the beginning of the range on.
    std::size_t end_of_missing(Range range) const {
        std::size_t end = range.begin + 1;
        for (std::size_t counted = range.end; counted - end > 1;) {
            const std::size_t middle = end + (counted - end) / 2;
            (count({range.begin, middle}) == 0 ? end : counted) = middle;
        }
        return end;
    }

    /// How often all elements of the range count together.
    double count(Range range) const {
        std::vector<float> ones(n_);
        std::fill_n(ones.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size(), 1.0F);
        return sum_(ones);
    }

    double right_count(Range range) const {
        double count = 0;
        for (std::size_t i = range.begin; i < range.end; ++i)
            count += right_(i) ? 1 : 0;
        return count;
    }

  private:
    bool is_wrong(Range range) const { return count(range) != right_count(range); }

    std::size_t n_;
    const std::function<bool(std::size_t i)>& right_;
    const Sum& sum_;
};

/// Which elements of many a wrong sum lacks, or has more than once, as far as a search shows it.
std::string explain_many(const std::vector<float>& values, double got,
                         const std::function<bool(std::size_t i)>& right, const Layout& layout,
                         const Sum& sum) {
    const Search search(values.size(), right, sum);
    const Search::Range range = search.find();
    const double should = search.right_count(range);
    if (range.size() == 0 || (should != 0 && should != static_cast<double>(range.size())))
        return {};
    const double counted = search.count(range);
    const double each = counted / static_cast<double>(range.size());
    if (each == std::floor(each) && each >= 0 && each < several.base) {
        std::vector<int> counts(values.size());
        for (std::size_t i = 0; i < counts.size(); ++i)
            counts[i] = right(i) ? 1 : 0;
        std::fill_n(counts.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size(),
                    static_cast<int>(each));
        return explains(counts, values, got) ? describe(counts, right, layout) : "";
    }
    const Search::Range whole{0, values.size()};
    const bool lacks_some = should != 0 && each > 0 && each < 1 &&
                            search.count({range.begin, range.begin + 1}) == 0 &&
                            search.right_count(whole) - search.count(whole) == should - counted;
    if (!lacks_some) // or the counts change from call to call
        return {};
    const std::size_t end = search.end_of_missing(range);
    return (end - range.begin == 1
                ? "element " + std::to_string(range.begin) + " is the first one that is missing"
                : "elements " + std::to_string(range.begin) + " to " + std::to_string(end - 1) +
                      " are the first ones that are missing") +
           ", and element " + std::to_string(range.end - 1) + " is the last one";
}

/// How often each element counts; nothing if that does not explain `got`, or there are too many elements.
std::optional<std::vector<int>> counts_in(grader::Case& test, const std::vector<float>& values,
                                          double got, const Sum& sum) {
    constexpr std::size_t most_singles = 128;
    for (const Digits& digits : {several, single}) {
        if (values.size() > (digits.elements == 1 ? most_singles : most_elements))
            break;
        std::optional<std::vector<int>> counts;
        const bool returned = test.examine([&] { counts = measure(values.size(), digits, sum); });
        if (returned && counts && explains(*counts, values, got))
            return counts;
    }
    return std::nullopt;
}

/// The bytes of the elements that the kernels of a call have read; nothing if that is not known.
using Read = std::optional<std::vector<wire::ByteRange>>;

bool is_read(const std::vector<wire::ByteRange>& read, std::size_t element) {
    return std::ranges::any_of(read, [&](const wire::ByteRange& range) {
        return range.offset <= element * sizeof(float) &&
               (element + 1) * sizeof(float) <= range.offset + range.size;
    });
}

/// ": no work-item reads them", of the elements that are missing; ": work-items read them, but they do not
/// reach the result"; or "" if only some of them are read.
std::string where_lost(const Read& read, const std::vector<int>& counts) {
    if (!read)
        return "";
    std::size_t missing = 0;
    std::size_t missing_and_read = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        missing += counts[i] == 0 ? 1 : 0;
        missing_and_read += counts[i] == 0 && is_read(*read, i) ? 1 : 0;
    }
    if (missing == 0 || (missing_and_read != 0 && missing_and_read != missing))
        return "";
    const bool is_one = missing == 1;
    const bool are_all = std::ranges::all_of(counts, [](int count) { return count <= 1; });
    const std::string these = !are_all ? "the missing ones" : is_one ? "it" : "them";
    return missing_and_read == 0
               ? ": no work-item reads " + these
               : ": work-items read " + these + ", but " +
                     (is_one && are_all ? "it does" : "they do") + " not reach the result";
}

/// Where in the kernels the first of the elements with these counts is lost, or counts twice.
std::optional<grader::WrongStep> wrong_step(grader::Case& test, const Read& read,
                                            const std::vector<int>& counts, const Sum& sum) {
    const auto wrong = std::ranges::find_if(counts, [](int count) { return count != 1; });
    const auto element = static_cast<std::size_t>(wrong - counts.begin());
    if (wrong == counts.end() || (read && !is_read(*read, element)))
        return std::nullopt;
    std::vector<float> values(counts.size());
    values[element] = 1;
    const auto call = [&] { sum(values); };
    return *wrong == 0 ? test.find_loss(call, {element, values[element]})
                       : test.find_doubling(call, element);
}

} // namespace

std::string describe(const std::vector<int>& counts,
                     const std::function<bool(std::size_t i)>& right, const Layout& layout) {
    std::map<int, Indices> more; // than once
    Indices missing;
    Indices extra; // counted, although they should not be
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0 && right(i))
            missing.push_back(i);
        else if (counts[i] != 0 && !right(i))
            extra.push_back(i);
        else if (counts[i] > 1)
            more[counts[i]].push_back(i);
    }
    std::vector<std::string> parts;
    const auto add = [&](const Indices& set, const std::string& one, const std::string& many) {
        if (set.empty())
            return;
        const std::string words = in_words(set, counts.size(), layout);
        parts.push_back(words + (is_plural(words) ? many : one));
    };
    add(missing, " is missing", " are missing");
    const std::size_t quarter = counts.size() / sizeof(float);
    if (quarter > 1 && missing.size() == counts.size() - quarter && missing.front() == quarter)
        parts.back() +=
            std::string(" (three quarters: is a number of elements used as a number of bytes?") +
            (layout.lanes > 1 ? " Or is a float4 treated as one float?)" : ")");
    for (const auto& [count, set] : more)
        add(set, " counts " + times(count), " count " + times(count));
    add(extra, " must not count, but does", " must not count, but do");
    constexpr std::size_t most_parts = 3;
    return parts.empty() || parts.size() > most_parts ? "" : list_of(parts);
}

std::string explain(grader::Case& test, const std::vector<float>& values, double got,
                    const std::function<bool(std::size_t i)>& right, const Layout& layout,
                    const Sum& sum) {
    if (test.is_in_other_schedule())
        return {};
    if (values.size() > most_elements && values.size() <= most_searched) {
        std::string found;
        test.examine([&] { found = explain_many(values, got, right, layout, sum); });
        return found;
    }
    const auto counts = counts_in(test, values, got, sum);
    return counts ? describe(*counts, right, layout) : "";
}

WrongSum explain_prefix(grader::Case& test, const std::vector<float>& values, double got,
                        const Prefix& prefix, const Layout& layout, const Sum& sum) {
    const auto right = [&](std::size_t i) { return i < prefix.length; };
    if (test.is_in_other_schedule() || values.size() > most_elements)
        return {explain(test, values, got, right, layout, sum)};
    const auto counts = counts_in(test, values, got, sum);
    if (!counts)
        return {};
    WrongSum wrong{describe(*counts, right, layout)};
    const auto doubled = std::ranges::find_if(*counts, [](int count) { return count > 1; });
    if (test.has_host_mistake())
        return wrong;
    if (doubled != counts->end()) {
        const auto element = static_cast<std::size_t>(doubled - counts->begin());
        wrong.wrong_step = test.find_doubling([&] { sum(values); }, element, prefix.result);
        return wrong;
    }
    const auto end = counts->begin() + static_cast<std::ptrdiff_t>(prefix.length);
    const auto missing = std::find(counts->begin(), end, 0);
    if (missing != end && prefix.sums_only_grow) {
        std::vector<float> one(counts->size());
        const auto element = static_cast<std::size_t>(missing - counts->begin());
        one[element] = 1;
        wrong.wrong_step =
            test.find_overwriting([&] { sum(one); }, {element, one[element]}, prefix.result);
    }
    return wrong;
}

WrongSum explain_sum(grader::Case& test, const std::vector<float>& values, double got,
                     const Layout& layout, const Sum& sum) {
    const auto all = [](std::size_t) { return true; };
    const auto explain_all = [&](const std::vector<float>& inputs, double wrong,
                                 const std::string& where) -> WrongSum {
        if (inputs.size() > most_elements)
            return {explain(test, inputs, wrong, all, layout, sum)};
        const auto counts = counts_in(test, inputs, wrong, sum);
        const std::string text = counts ? describe(*counts, all, layout) : "";
        if (text.empty())
            return {};
        if (test.has_host_mistake()) // that is where they are lost
            return {text + where};
        const Read read = test.bytes_read([&] { sum(std::vector<float>(counts->size(), 1.0F)); });
        return {text + where + where_lost(read, *counts), wrong_step(test, read, *counts, sum)};
    };
    if (test.is_in_other_schedule())
        return {};
    if (values.size() < layout.per_group && layout.per_group <= most_elements) {
        const std::vector<float> probe = grader::whole_numbers(test.random(), layout.per_group);
        double wrong = 0;
        WrongSum found;
        if (test.examine([&] { wrong = sum(probe); }))
            found = explain_all(probe, wrong, " in your sum");
        if (!found.text.empty())
            return {"with n = " + std::to_string(probe.size()) + ", " + found.text,
                    found.wrong_step};
    }
    WrongSum found = explain_all(values, got, "");
    if (!found.text.empty())
        found.text.insert(0, "in your sum, ");
    return found;
}

} // namespace element_counts
