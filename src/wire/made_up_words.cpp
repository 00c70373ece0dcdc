#include "wire/made_up_words.hpp"

#include "wire/messages.hpp"

#include <algorithm>
#include <utility>

namespace wire {

MadeUpWords::MadeUpWords(std::vector<std::uint32_t> result) : words_(std::move(result)) {
    std::erase_if(words_, [](std::uint32_t word) { return word == 0 || is_filling(word); });
    std::ranges::sort(words_);
    are_removed_.resize(words_.size());
    count_ = words_.size();
}

void MadeUpWords::remove(std::uint32_t word) {
    const auto first = std::ranges::lower_bound(words_, word) - words_.begin();
    for (auto i = static_cast<std::size_t>(first);
         i < words_.size() && words_[i] == word && !are_removed_[i]; ++i) {
        are_removed_[i] = true;
        --count_;
    }
}

} // namespace wire
