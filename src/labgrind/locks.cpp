#include "labgrind/locks.hpp"

#include <algorithm>

namespace labgrind {
namespace {

constexpr std::size_t max_stored = 64;

} // namespace

void Locks::atomic(const AtomicStep& step) {
    const bool takes = step.tries && step.before == 0 && step.writes && step.after != 0;
    const bool fails = step.tries && step.before != 0;
    const auto known = words_.find(step.word);
    if (!step.tries && !step.changes && known == words_.end())
        return;
    Word& word = known != words_.end() ? known->second : words_[step.word];
    if (step.writes && word.stored.size() < max_stored)
        word.stored.insert(step.after);
    if (step.changes)
        word.changers.insert(step.item);
    if (fails) {
        ++word.failures;
        last_attempt_[step.item] = step.word;
    } else if (takes) {
        ++word.takes;
        word.keys.insert(step.after);
        Hold hold;
        hold.word = step.word;
        hold.item = step.item;
        hold.warp = step.warp;
        hold.phase = step.phase;
        hold.path = step.path;
        hold.lock_site = step.site;
        hold.spin_loop = step.loops.empty() ? 0 : step.loops.front();
        holds_.push_back(hold);
        word.current = static_cast<std::uint32_t>(holds_.size());
        held_[step.item].push_back(word.current);
    } else if (step.writes && step.after == 0 && word.takes != 0) {
        release(word, step.item, step.site, step.word, false, step.loops);
    }
}

void Locks::release(Word& word, std::uint32_t item, std::uint32_t site, std::uint64_t address,
                    bool plain, const std::vector<std::uint64_t>& loops) {
    ++word.releases;
    const std::uint32_t number = word.current;
    word.current = 0;
    if (number == 0 || holds_[number - 1].item != item)
        word.strays.push_back({address, item, site,
                               number == 0 ? std::nullopt : std::optional<std::uint32_t>(number)});
    if (number == 0)
        return;
    Hold& hold = holds_[number - 1];
    hold.released = true;
    hold.releaser = item;
    hold.release_site = site;
    hold.plain_release = plain;
    hold.release_fenced = !hold.dirty;
    hold.released_in_loop = std::find(loops.begin(), loops.end(), hold.spin_loop) != loops.end();
    std::vector<std::uint32_t>& own = held_[hold.item];
    own.erase(std::remove(own.begin(), own.end(), number), own.end());
}

void Locks::store(std::uint32_t item, std::uint32_t site, std::uint64_t address,
                  std::uint64_t value) {
    const auto known = words_.find(address);
    if (known != words_.end() && known->second.takes != 0 && value == 0)
        release(known->second, item, site, address, true, {});
}

void Locks::touch(std::uint32_t item) {
    const auto own = held_.find(item);
    if (own == held_.end())
        return;
    for (const std::uint32_t number : own->second)
        holds_[number - 1].dirty = true;
}

void Locks::fence(std::uint32_t item) {
    const auto own = held_.find(item);
    if (own == held_.end())
        return;
    for (const std::uint32_t number : own->second) {
        holds_[number - 1].dirty = false;
        holds_[number - 1].lock_fenced = true;
    }
}

std::uint32_t Locks::held_by(std::uint32_t item) const {
    const auto own = held_.find(item);
    return own == held_.end() || own->second.empty() ? 0 : own->second.back();
}

bool Locks::is_lock(std::uint64_t address) const {
    const auto known = words_.find(address);
    if (known == words_.end())
        return false;
    const Word& word = known->second;
    const bool two_values = word.keys.size() == 1 &&
                            std::all_of(word.stored.begin(), word.stored.end(),
                                        [&](auto v) { return v == 0 || v == *word.keys.begin(); });
    // Who tries again and again wants a lock; one who tries once wants to be the first.
    constexpr std::uint32_t many = 100;
    return two_values && (word.releases > 0 || word.failures >= many);
}

std::vector<Locks::Stray> Locks::strays() const {
    std::vector<Stray> all;
    for (const auto& [address, word] : words_) {
        if (is_lock(address))
            all.insert(all.end(), word.strays.begin(), word.strays.end());
    }
    return all;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> Locks::lock_step_hang() const {
    for (std::size_t i = 0; i < holds_.size(); ++i) {
        const Hold& a = holds_[i];
        if (!a.released || a.spin_loop == 0 || a.released_in_loop || !is_lock(a.word))
            continue;
        for (std::size_t j = i + 1; j < holds_.size() && j < i + max_stored; ++j) {
            const Hold& b = holds_[j];
            if (b.word == a.word && b.item != a.item && b.warp == a.warp && b.phase == a.phase &&
                b.path == a.path)
                return std::make_pair(static_cast<std::uint32_t>(i + 1),
                                      static_cast<std::uint32_t>(j + 1));
        }
    }
    return std::nullopt;
}

std::uint32_t Locks::obstacle(std::uint32_t item) const {
    const auto attempt = last_attempt_.find(item);
    return attempt == last_attempt_.end() ? 0 : words_.at(attempt->second).current;
}

std::vector<std::uint64_t> Locks::changed_words() const {
    std::vector<std::uint64_t> found;
    for (const auto& [address, word] : words_) {
        if (!word.changers.empty())
            found.push_back(address);
    }
    return found;
}

std::vector<std::uint64_t> Locks::rival_values(std::uint64_t address) const {
    const auto known = words_.find(address);
    if (known == words_.end() || known->second.changers.size() < 2)
        return {};
    const Word& word = known->second;
    // A word that was taken and never given back elects somebody; nobody waits for it.
    if (word.keys.size() == 1 && word.takes == 1 && word.releases == 0)
        return {};
    return {word.stored.begin(), word.stored.end()};
}

} // namespace labgrind
