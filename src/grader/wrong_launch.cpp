#include "grader/wrong_launch.hpp"

#include <algorithm>
#include <utility>

namespace grader {

namespace {

/// Whether they are the same as numbers: as floats, 0 and -0 are.
bool is_same(std::uint32_t a, std::uint32_t b) { return a == b || (a | b) << 1 == 0; }

} // namespace

std::vector<std::uint32_t> words_at(const Words& words, std::size_t argument) {
    const auto found = words.find(argument);
    return found == words.end() ? std::vector<std::uint32_t>() : found->second;
}

void LaunchCheck::check(LaunchWords& launch) {
    ++launches_;
    const std::optional<Words> right = right_(launch);
    if (!right) {
        knows_all_ = false;
        return;
    }
    for (const auto& [argument, words] : *right) {
        const auto buffer = launch.left.find(argument);
        if (buffer == launch.left.end()) { // it is long, or the kernel has other parameters
            knows_all_ = false;
            continue;
        }
        std::vector<std::uint32_t>& left = buffer->second;
        const std::size_t shared = std::min(left.size(), words.size());
        const auto [found, expected] =
            std::mismatch(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(shared),
                          words.begin(), is_same);
        const auto index = static_cast<std::size_t>(found - left.begin());
        if (index == shared || (wrong_ && wrong_->kernel != launch.kernel))
            continue;
        if (!wrong_)
            wrong_ = {launches_, launch.kernel, argument, index, launch.given.at(argument)[index],
                      *found,    *expected};
        std::copy_n(words.begin(), shared, left.begin());
    }
}

} // namespace grader
