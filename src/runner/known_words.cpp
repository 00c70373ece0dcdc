#include "runner/known_words.hpp"

#include "wire/messages.hpp"

#include <algorithm>
#include <cstring>

namespace runner {
namespace {

constexpr std::size_t most_words = std::size_t{1} << 16;

std::vector<std::uint32_t> words_of(std::span<const std::byte> bytes) {
    std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
    if (!words.empty())
        std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
    return words;
}

/// Removes the words that are among `known`.
void remove_known(std::vector<std::uint32_t>& words, std::vector<std::uint32_t> known) {
    if (words.empty())
        return;
    std::ranges::sort(known);
    std::erase_if(words,
                  [&](std::uint32_t word) { return std::ranges::binary_search(known, word); });
}

} // namespace

void KnownWords::add(std::span<const std::byte> read) {
    are_too_many_ =
        are_too_many_ || words_.size() + read.size() / sizeof(std::uint32_t) > most_words;
    if (are_too_many_)
        return;
    const std::vector<std::uint32_t> more = words_of(read);
    words_.insert(words_.end(), more.begin(), more.end());
}

std::size_t
KnownWords::count_others(std::span<const std::byte> result,
                         const std::vector<std::span<const std::byte>>& arguments) const {
    std::vector<std::uint32_t> others = words_of(result);
    if (are_too_many_ || others.size() > most_words)
        return 0;
    std::erase_if(others, [](std::uint32_t word) { return word == 0 || wire::is_filling(word); });
    remove_known(others, words_);
    for (const std::span<const std::byte>& argument : arguments)
        remove_known(others, words_of(argument));
    return others.size();
}

} // namespace runner
