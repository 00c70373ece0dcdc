#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// The arguments of a launch, by number, as words of 4 bytes: values, and buffers that are short.
using Words = std::map<std::size_t, std::vector<std::uint32_t>>;

/// The words of an argument; empty if they are not known.
std::vector<std::uint32_t> words_at(const Words& words, std::size_t argument);

/// What the arguments of a launch hold before and after it.
struct LaunchWords {
    std::string kernel;
    Words given;
    Words left = {}; ///< empty until it has ended
};

/// What a launch must leave in its buffers, from what it gets: all words of them, or those at the beginning.
/// Nothing if that is not known.
using RightWords = std::function<std::optional<Words>(const LaunchWords& launch)>;

/// A word that a launch leaves, and that must be another one.
struct WrongWord {
    std::size_t launch = 0; ///< its number in the call, from 1
    std::string kernel;
    std::size_t argument = 0;
    std::size_t index = 0; ///< of the word
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    std::uint32_t right = 0;
};

/// Compares the launches of a call with what they must leave, and corrects those of the first kernel that
/// leaves something else. A result that is right then shows that only this kernel is wrong.
class LaunchCheck {
  public:
    explicit LaunchCheck(RightWords right) : right_(std::move(right)) {}

    /// Checks the next launch; changes launch.left if it corrects it.
    void check(LaunchWords& launch);

    /// Whether it was known what each launch must leave.
    bool knows_all() const { return knows_all_ && launches_ != 0; }
    /// The first wrong word; nothing if there is none.
    const std::optional<WrongWord>& first_wrong() const { return wrong_; }

  private:
    RightWords right_;
    std::size_t launches_ = 0;
    bool knows_all_ = true;
    std::optional<WrongWord> wrong_;
};

} // namespace grader
