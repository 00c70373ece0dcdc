#include "wire/made_up_words.hpp"

#include "wire/messages.hpp"

#include <algorithm>
#include <utility>

namespace wire {
namespace {

std::vector<std::uint32_t> sorted_without_filling(std::vector<std::uint32_t> words) {
    std::erase_if(words, [](std::uint32_t word) { return word == 0 || is_filling(word); });
    std::ranges::sort(words);
    return words;
}

} // namespace

MadeUpWords::MadeUpWords(std::vector<std::uint32_t> result)
    : words_(sorted_without_filling(std::move(result))), are_removed_(words_.size()),
      count_(words_.size()) {}

void MadeUpWords::remove(std::uint32_t word) {
    const auto first = std::ranges::lower_bound(words_, word) - words_.begin();
    for (auto i = static_cast<std::size_t>(first);
         i < words_.size() && words_[i] == word && !are_removed_[i]; ++i) {
        are_removed_[i] = true;
        --count_;
    }
}

} // namespace wire
