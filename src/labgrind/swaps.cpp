#include "labgrind/swaps.hpp"

namespace labgrind {

void Swaps::note(const Swap& swap, bool in_loop) {
    if (!swap.uses_result && swap.next != 0)
        unlooked_[swap.item] = swap;
    const auto taken = unlooked_.find(swap.item);
    if (swap.next == 0 && taken != unlooked_.end() && taken->second.address == swap.address)
        blind_[swap.item] = taken->second;
    if (!swap.uses_result && !swap.compares)
        return;
    last_[swap.item] = swap;
    const bool is_idle = swap.compares ? swap.expected == swap.next : swap.next == 0;
    if (is_idle && swap.found == swap.next && in_loop)
        idle_[swap.item] = swap;
    else if (!swap.compares && swap.stores())
        idle_.erase(swap.item);
    if (!swap.compares || is_idle)
        return;
    if (swap.stores())
        failed_[swap.site] = std::nullopt;
    else
        failed_.try_emplace(swap.site, swap);
}

std::optional<Swap> Swaps::idle(std::uint32_t item) const {
    const auto last = idle_.find(item);
    return last == idle_.end() ? std::nullopt : std::optional(last->second);
}

std::optional<Swap> Swaps::blind(std::uint32_t item) const {
    const auto last = blind_.find(item);
    return last == blind_.end() ? std::nullopt : std::optional(last->second);
}

std::optional<Swap> Swaps::vain(std::uint32_t item) const {
    const auto last = last_.find(item);
    if (last == last_.end() || last->second.next == 0)
        return std::nullopt;
    const Swap& swap = last->second;
    const bool is_vain = swap.found == swap.next && !(swap.compares && swap.stores());
    return is_vain ? std::optional(swap) : std::nullopt;
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
