#include "labgrind/analyses/swaps.hpp"

namespace labgrind {

void Swaps::note(const Swap& swap, bool in_loop) {
    History& own = by_item_[swap.item];
    if (!swap.uses_result && swap.next != 0)
        own.ignoring_result = swap;
    if (swap.next == 0 && own.ignoring_result && own.ignoring_result->address == swap.address)
        own.unchecked = own.ignoring_result;
    if (!swap.uses_result && !swap.compares)
        return;
    own.last = swap;
    const bool changes_nothing = swap.compares ? swap.expected == swap.next : swap.next == 0;
    if (changes_nothing && swap.found == swap.next && in_loop)
        own.unchanging = swap;
    else if (!swap.compares && swap.stores())
        own.unchanging.reset();
    const bool only_reads = changes_nothing && (swap.uses_result || swap.stores());
    if (!swap.compares || only_reads)
        return;
    if (swap.stores())
        failed_[swap.site] = std::nullopt;
    else
        failed_.try_emplace(swap.site, swap);
}

const Swaps::History& Swaps::of(std::uint32_t item) const {
    static const History none;
    const auto known = by_item_.find(item);
    return known == by_item_.end() ? none : known->second;
}

std::optional<Swap> Swaps::refused(std::uint32_t item) const {
    const std::optional<Swap>& last = of(item).last;
    if (!last || last->next == 0)
        return std::nullopt;
    const bool has_stored = last->compares && last->stores();
    return last->found == last->next && !has_stored ? last : std::nullopt;
}

std::vector<std::uint32_t> Swaps::sites() const {
    std::vector<std::uint32_t> all;
    for (const auto& [site, swap] : failed_)
        all.push_back(site);
    return all;
}

std::vector<Swap> Swaps::failed() const {
    std::vector<Swap> all;
    for (const auto& [site, swap] : failed_) {
        if (swap)
            all.push_back(*swap);
    }
    return all;
}

} // namespace labgrind
