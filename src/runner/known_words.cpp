#include "runner/known_words.hpp"

#include "wire/made_up_words.hpp"

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
    if (are_too_many_ || result.size() / sizeof(std::uint32_t) > most_words)
        return 0;
    wire::MadeUpWords others(words_of(result));
    for (const std::uint32_t word : words_)
        others.remove(word);
    for (std::size_t i = 0; i < arguments.size() && others.count() != 0; ++i) {
        for (const std::uint32_t word : words_of(arguments[i]))
            others.remove(word);
    }
    return others.count();
}

} // namespace runner
