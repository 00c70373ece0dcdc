#include "labgrind/waits.hpp"

#include <algorithm>

namespace labgrind {

void Waits::poll(const Poll& poll) {
    Word& word = words_[poll.word];
    word.polls[poll.item] = poll;
    word.pending.erase(poll.item);
    if (!word.passed)
        return;
    const Poll& other = word.passed->poll;
    if (other.item != poll.item && other.warp == poll.warp && other.phase == poll.phase &&
        other.loop == poll.loop && other.way == poll.way)
        word.pending[poll.item] = {other.item, poll.item, poll.site, word.passed->store_site};
}

void Waits::change(const Change& change) {
    const auto known = words_.find(change.word);
    if (known == words_.end())
        return;
    Word& word = known->second;
    word.passed.reset();
    const auto poll = word.polls.find(change.item);
    if (poll == word.polls.end() || poll->second.phase != change.phase ||
        std::find(change.braces.begin(), change.braces.end(), poll->second.loop) !=
            change.braces.end())
        return;
    word.passed = Passed{poll->second, change.site};
    const auto pending = word.pending.find(change.item);
    if (pending != word.pending.end() && !hang_)
        hang_ = pending->second;
}

} // namespace labgrind
