#pragma once

#include "grader/case.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// What each launch of a scan on several levels must leave, and what to say of one that leaves something
/// else.
namespace launch_words {

/// The elements of type T in the buffer that is this argument; empty if it is not known.
template <class T> std::vector<T> elements(const grader::Words& words, std::size_t argument) {
    const std::vector<std::uint32_t> found = grader::words_at(words, argument);
    std::vector<T> all(found.size() * sizeof(std::uint32_t) / sizeof(T));
    if (!all.empty())
        std::memcpy(all.data(), found.data(), all.size() * sizeof(T));
    return all;
}

template <class T> std::vector<std::uint32_t> words_of(const std::vector<T>& elements) {
    std::vector<std::uint32_t> words(elements.size() * sizeof(T) / sizeof(std::uint32_t));
    if (!words.empty())
        std::memcpy(words.data(), elements.data(), elements.size() * sizeof(T));
    return words;
}

/// The first elements of that buffer, as many as the argument `n` says; empty if they are not known.
template <class T>
std::vector<T> first_elements(const grader::Words& words, std::size_t argument, std::size_t n) {
    std::vector<T> all = elements<T>(words, argument);
    const std::vector<std::uint32_t> count = elements<std::uint32_t>(words, n);
    all.resize(count.size() == 1 ? std::min<std::size_t>(all.size(), count.front()) : 0);
    return all;
}

/// How groups are scanned.
template <class T> struct GroupScan {
    std::size_t per_group = 0; ///< elements
    bool is_exclusive = false;
    std::function<T(T first, T second)> combine;
    T identity{};
};

/// After scan_groups(values, group_sums, temp, n).
template <class T> std::optional<grader::Words> after_scan(const grader::LaunchWords& launch,
                                                           const GroupScan<T>& scan) {
    std::vector<T> values = first_elements<T>(launch.given, 0, 3);
    if (values.empty())
        return std::nullopt;
    std::vector<T> sums;
    for (std::size_t begin = 0; begin < values.size(); begin += scan.per_group) {
        T sum = scan.identity;
        for (std::size_t i = begin; i < std::min(begin + scan.per_group, values.size()); ++i) {
            const T before = sum;
            sum = scan.combine(sum, values[i]);
            values[i] = scan.is_exclusive ? before : sum;
        }
        sums.push_back(sum);
    }
    grader::Words right{{0, words_of(values)}};
    if (sums.size() > 1)
        right[1] = words_of(sums);
    return right;
}

/// After add_offsets(values, sums, n), or combine_offsets.
template <class T> std::optional<grader::Words> after_offsets(const grader::LaunchWords& launch,
                                                              const GroupScan<T>& scan) {
    std::vector<T> values = first_elements<T>(launch.given, 0, 2);
    const std::vector<T> sums = elements<T>(launch.given, 1);
    if (values.empty() || sums.size() < (values.size() + scan.per_group - 1) / scan.per_group)
        return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t group = i / scan.per_group;
        if (scan.is_exclusive)
            values[i] = scan.combine(sums[group], values[i]);
        else if (group > 0)
            values[i] = scan.combine(sums[group - 1], values[i]);
    }
    return grader::Words{{0, words_of(values)}};
}

/// After a launch of a scan: of scan_groups, or of `add_kernel`, which adds the offsets. Nothing for others.
template <class T> std::optional<grader::Words> after_level(const grader::LaunchWords& launch,
                                                            const GroupScan<T>& scan,
                                                            const std::string& add_kernel) {
    return launch.kernel == "scan_groups" ? after_scan(launch, scan)
           : launch.kernel == add_kernel  ? after_offsets(launch, scan)
                                          : std::nullopt;
}

/// A wrong word in the words of a message.
struct Description {
    std::string place;   ///< "group_sums[0]"
    std::string meaning; ///< of the right number: "the sum of group 0"
    std::string before;  ///< the number there before the launch
    std::string after;
    std::string right;
};

/// "scan_groups (launch 1) leaves 5 in group_sums[0], but the sum of group 0 is 12; the other kernels are
/// right".
std::string describe(const grader::WrongWord& wrong, const Description& words);

/// What to ask if each launch is right, but not the result.
constexpr const char* host_is_wrong =
    "with what they get, the kernels do what they must, so the mistake is in your host code: which "
    "buffers and numbers does it pass to each launch, and which buffer does it read back?";

} // namespace launch_words
