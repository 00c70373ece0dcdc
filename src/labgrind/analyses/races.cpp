#include "labgrind/analyses/races.hpp"

namespace labgrind {
namespace {

/// How many readers of a word are kept per group and phase. The next writer conflicts with all of
/// them or with none, unless it is one of them: two would do.
constexpr int max_alike = 4;

/// The conflict between an earlier access and one that it does not happen before, if there is one.
std::optional<Conflict> conflict(const Access& a, const Access& b, bool same_value) {
    if ((a.resets && b.counts) || (a.counts && b.resets))
        return Conflict{a};
    if ((!a.write && !b.write) || (a.atomic && b.atomic))
        return std::nullopt;
    if (a.polls || b.polls) {
        if (a.atomic || b.atomic)
            return std::nullopt;
    }
    if (!a.atomic && !b.atomic && a.write && b.write && same_value)
        return std::nullopt;
    return Conflict{a, (a.atomic && !b.write) || (b.atomic && !a.write)};
}

/// Whether `now` can replace `old`, which happened before it: every later access that conflicts
/// with `old` conflicts with `now`, too, or is settled for every work-item that `now` happens
/// before.
bool replaces(const Access& now, const Access& old) {
    // Another work-item may store the same value as `now`, but not while `old` reads.
    const bool just_read =
        !old.write && now.write && old.epoch.item == now.epoch.item && old.barriers == now.barriers;
    return (now.write || !old.write) && (!now.atomic || old.atomic) && !just_read &&
           (!old.resets || now.resets) && (!old.counts || now.counts);
}

} // namespace

std::optional<Conflict> Races::visit(const Order& order, Word& word, Mask mask,
                                     const Access& access, bool same_value) {
    std::optional<Conflict> found;
    int alike = 0;
    std::size_t kept = 0;
    // All atomic operations on one word take place in one order. Those before one that happened
    // before this access are settled. So are those before this work-item's own last one, if it used
    // the result: it has seen there that no other one is to come.
    std::size_t last_over = 0;
    for (std::size_t i = word.size(); i-- > 0 && last_over == 0;) {
        const Access& old = word[i].access;
        if (old.atomic && order.before(old.epoch, access.epoch.item) &&
            (old.epoch.item != access.epoch.item || old.uses_result))
            last_over = i;
    }
    for (std::size_t i = 0; i < word.size(); ++i) {
        const Record& old = word[i];
        bool keep = true;
        if ((old.mask & mask) != 0) {
            const bool ordered = order.before(old.access.epoch, access.epoch.item);
            const bool settled = old.access.atomic && i < last_over;
            if (!ordered && !settled && (!found || found->is_load_race)) {
                const auto one = conflict(old.access, access, same_value);
                if (one && (!found || !one->is_load_race))
                    found = one;
            }
            keep =
                !((ordered || settled) && (old.mask & ~mask) == 0 && replaces(access, old.access));
        }
        if (!keep)
            continue;
        const Epoch& epoch = old.access.epoch;
        if (!old.access.write && old.mask == mask && epoch.group == access.epoch.group &&
            epoch.phase == access.epoch.phase && epoch.fences == 0 &&
            old.access.barriers == access.barriers)
            ++alike;
        if (kept != i)
            word[kept] = old;
        ++kept;
    }
    word.resize(kept);
    if (access.write || access.atomic || access.epoch.fences != 0 || alike < max_alike)
        word.push_back({access, mask});
    return found;
}

std::optional<Conflict> Races::access(const Order& order, std::uint32_t buffer, std::size_t offset,
                                      std::size_t size, const Access& access, bool same_value) {
    if (buffers_.size() <= buffer)
        buffers_.resize(buffer + 1);
    SparseArray<Word>& words = buffers_[buffer];
    const std::size_t end = offset + size;
    std::optional<Conflict> found;
    for (std::size_t word = offset / word_size; word * word_size < end; ++word) {
        Mask mask = 0;
        for (std::size_t byte = 0; byte < word_size; ++byte) {
            const std::size_t at = word * word_size + byte;
            if (at >= offset && at < end)
                mask = static_cast<Mask>(mask | (1U << byte));
        }
        const auto one = visit(order, words[word], mask, access, same_value);
        if (!found)
            found = one;
    }
    return found;
}

const Access* Races::last_store(std::uint32_t buffer, std::size_t offset) const {
    const Word* word =
        buffer < buffers_.size() ? buffers_[buffer].find(offset / word_size) : nullptr;
    const Mask mask = static_cast<Mask>(1U << offset % word_size);
    for (std::size_t i = word == nullptr ? 0 : word->size(); i-- > 0;) {
        const Record& record = (*word)[i];
        if (record.access.write && !record.access.atomic && (record.mask & mask) != 0)
            return &record.access;
    }
    return nullptr;
}

void Races::clear() {
    for (SparseArray<Word>& words : buffers_)
        words.clear();
}

} // namespace labgrind
