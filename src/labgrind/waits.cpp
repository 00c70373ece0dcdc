#include "labgrind/waits.hpp"

#include <algorithm>

namespace labgrind {

void Waits::look(const Look& look) {
    Word& word = words_[look.word];
    word.looks[look.item] = look;
    word.pending.erase(look.item);
    if (!word.passed)
        return;
    const Look& other = word.passed->look;
    if (other.item != look.item && other.warp == look.warp && other.phase == look.phase &&
        other.loop == look.loop && other.way == look.way)
        word.pending[look.item] = {other.item, look.item, look.site, word.passed->store_site};
}

void Waits::change(const Change& change) {
    const auto known = words_.find(change.word);
    if (known == words_.end())
        return;
    Word& word = known->second;
    word.passed.reset();
    const auto look = word.looks.find(change.item);
    if (look == word.looks.end() || look->second.phase != change.phase ||
        std::find(change.braces.begin(), change.braces.end(), look->second.loop) !=
            change.braces.end())
        return;
    word.passed = Passed{look->second, change.site};
    const auto pending = word.pending.find(change.item);
    if (pending != word.pending.end() && !hang_)
        hang_ = pending->second;
}

} // namespace labgrind
