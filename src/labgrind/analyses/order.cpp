#include "labgrind/analyses/order.hpp"

#include <algorithm>

namespace labgrind {

std::uint32_t VectorClock::bound(const Bounds& bounds, std::uint32_t key) {
    const auto at = std::ranges::lower_bound(bounds, std::make_pair(key, 0U));
    return at != bounds.end() && at->first == key ? at->second : 0;
}

void VectorClock::raise(Bounds& bounds, std::uint32_t key, std::uint32_t value) {
    if (value == 0)
        return;
    const auto at = std::ranges::lower_bound(bounds, std::make_pair(key, 0U));
    if (at != bounds.end() && at->first == key)
        at->second = std::max(at->second, value);
    else
        bounds.insert(at, {key, value});
}

void VectorClock::merge(Bounds& into, const Bounds& from) {
    if (from.empty())
        return;
    Bounds merged;
    merged.reserve(into.size() + from.size());
    auto a = into.begin();
    auto b = from.begin();
    while (a != into.end() || b != from.end()) {
        if (b == from.end() || (a != into.end() && a->first < b->first)) {
            merged.push_back(*a++);
        } else if (a == into.end() || b->first < a->first) {
            merged.push_back(*b++);
        } else {
            merged.emplace_back(a->first, std::max(a->second, b->second));
            ++a;
            ++b;
        }
    }
    into = std::move(merged);
}

void VectorClock::join(const VectorClock& other) {
    merge(groups_, other.groups_);
    merge(items_, other.items_);
}

void VectorClock::clear() {
    groups_.clear();
    items_.clear();
}

void Order::begin_group(std::uint32_t group, std::uint32_t first, std::uint32_t size) {
    now_.group = group;
    now_.first = first;
    now_.phase = 0;
    now_.shared.clear();
    now_.met.clear();
    now_.met_seen.clear();
    now_.items.assign(size + std::size_t{1}, {});
}

Epoch Order::epoch(std::uint32_t item) const {
    return {item, now_.group, now_.phase, at(item).fences};
}

bool Order::before(const Epoch& earlier, std::uint32_t item) const {
    return earlier.item == item || (earlier.group == now_.group && earlier.phase < now_.phase) ||
           now_.shared.covers(earlier) || at(item).own.covers(earlier);
}

bool Order::lacks_acquire(const Epoch& earlier, std::uint32_t item) const {
    const Item& one = at(item);
    const auto covers = [&](std::uint64_t address) {
        const auto word = published_.find(address);
        return word != published_.end() && word->second.covers(earlier);
    };
    return one.seen.covers(earlier) || now_.met.covers(earlier) || now_.met_seen.covers(earlier) ||
           std::ranges::any_of(one.reading, covers);
}

/// Joins the clocks of the words that `item` has read, before other work-items can change them.
void Order::look(Item& item) {
    for (const std::uint64_t address : item.reading)
        item.seen.join(published_[address]);
    item.reading.clear();
}

void Order::barrier(bool ordered) {
    for (std::size_t i = 0; i + 1 < now_.items.size(); ++i) { // a copy uses the clock of the group
        Item& item = now_.items[i];
        look(item);
        if (!ordered) {
            now_.met_seen.join(item.seen);
            if (item.fences != 0) {
                now_.met.join(item.own);
                now_.met.add_item(now_.first + static_cast<std::uint32_t>(i), item.fences);
            }
            continue;
        }
        now_.shared.join(item.own);
        now_.shared.join(item.seen);
        item.own.clear();
        item.seen.clear();
    }
    if (ordered) {
        now_.met.clear();
        now_.met_seen.clear();
        ++now_.phase;
    }
}

void Order::copies_done() {
    ++now_.items.back().fences;
    now_.shared.add_item(copies + now_.group, now_.items.back().fences);
}

void Order::fence(std::uint32_t item, bool acquire, bool release) {
    Item& one = at(item);
    if (acquire) {
        look(one);
        one.own.join(one.seen);
        one.own.join(now_.met);
        one.own.join(now_.met_seen);
        one.seen.clear();
    }
    if (release)
        ++one.fences;
}

void Order::atomic(std::uint32_t item, std::uint64_t address, bool uses_result, bool changes) {
    Item& one = at(item);
    if (uses_result && (one.reading.empty() || one.reading.back() != address))
        one.reading.push_back(address);
    if (!changes || (one.fences == 0 && now_.phase == 0 && now_.met.empty()))
        return;
    VectorClock& word = published_[address];
    word.join(now_.shared);
    word.join(now_.met);
    word.join(one.own);
    word.add_group(now_.group, now_.phase);
    word.add_item(item, one.fences);
}

} // namespace labgrind
