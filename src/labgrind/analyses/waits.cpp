#include "labgrind/analyses/waits.hpp"

#include <algorithm>

namespace labgrind {

void Waits::poll(const Poll& poll) {
    polls_[poll.item] = poll;
    pending_.erase(poll.item);
    const auto passed = passed_.find(poll.word);
    if (passed == passed_.end())
        return;
    const Poll& other = passed->second.poll;
    if (other.item != poll.item && other.warp == poll.warp && other.phase == poll.phase &&
        other.loop == poll.loop && other.context == poll.context)
        pending_[poll.item] = {other.item, poll.item, poll.site, passed->second.store_site};
}

const Poll* Waits::last_poll(std::uint32_t item) const {
    const auto poll = polls_.find(item);
    return poll == polls_.end() ? nullptr : &poll->second;
}

void Waits::change(const Change& change) {
    passed_.erase(change.word);
    const auto poll = polls_.find(change.item);
    if (poll == polls_.end() || poll->second.phase != change.phase ||
        std::ranges::find(change.enclosing_loops, poll->second.loop) !=
            change.enclosing_loops.end())
        return;
    passed_[change.word] = {poll->second, change.site};
    const auto pending = pending_.find(change.item);
    if (pending != pending_.end() && !hang_)
        hang_ = pending->second;
}

} // namespace labgrind
