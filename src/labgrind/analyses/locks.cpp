#include "labgrind/analyses/locks.hpp"

#include <algorithm>
#include <utility>

namespace labgrind {
namespace {

constexpr std::size_t max_stored = 64;

/// Failures in a row after which a work-item counts as waiting.
constexpr std::uint32_t many = 100;

/// How many consecutive holds of a lock are searched for two of the same warp.
constexpr std::size_t max_warp_distance = 64;

} // namespace

void Locks::atomic(const AtomicStep& step) {
    const auto known = words_.find(step.word);
    if (!step.tries && !step.changes && known == words_.end())
        return;
    Word& word = known != words_.end() ? known->second : words_[step.word];
    word.one_group = word.one_group && word.group.value_or(step.group) == step.group;
    word.group = step.group;
    if (step.writes && word.stored.size() < max_stored)
        word.stored.insert(step.after);
    if (step.changes)
        word.changers.insert(step.item);
    const bool counts = step.before == 0 && !step.tries;
    const bool was_written = std::exchange(word.written, word.written || step.writes);
    const bool keeps_taken = step.before != 0 && step.after == step.before;
    if (step.writes && step.after != 0 && !keeps_taken && (step.before != 0 || counts))
        word.only_taken_free = false;
    if (step.writes && step.after != 0 && word.current != 0) {
        Hold& hold = holds_[word.current - 1];
        if (hold.item == step.item && hold.lock_site != step.site) {
            hold.wrong_release_site = step.site;
            hold.wrong_value = step.after;
        }
    }
    if (step.tries && step.before != 0) {
        Attempts& attempts = attempts_[step.item];
        attempts = {step.word,      attempts.word == step.word ? attempts.failures + 1 : 1,
                    step.site,      step.before,
                    step.spin != 0, !was_written};
        word.waited_for = word.waited_for || attempts.failures >= many;
    } else if (step.tries && step.writes) {
        take(word, step);
    } else if (step.writes && step.after == 0 && (step.before != 0 || step.changes) &&
               word.takes != 0) {
        word.emptied = word.emptied || step.uses_result;
        release(word, step, false);
    }
}

void Locks::take(Word& word, const AtomicStep& step) {
    ++word.takes;
    word.take_sites.insert(step.site);
    word.taken_in_loops = word.taken_in_loops && step.spin != 0;
    word.last_phase = step.phase;
    attempts_.erase(step.item);
    Hold hold;
    hold.word = step.word;
    hold.item = step.item;
    hold.warp = step.warp;
    hold.group = step.group;
    hold.phase = step.phase;
    hold.context = step.context;
    hold.lock_site = step.site;
    hold.spin_loop = step.spin;
    holds_.push_back(hold);
    word.current = static_cast<std::uint32_t>(holds_.size());
    held_[step.item].push_back(word.current);
}

/// Whether the work-item that releases a lock holds it, or its group has met since another one of it
/// has taken the lock.
static bool may_release(const Hold& hold, const AtomicStep& step) {
    return hold.item == step.item || (hold.group == step.group && hold.phase < step.phase);
}

void Locks::release(Word& word, const AtomicStep& step, bool plain) {
    const std::uint32_t number = word.current;
    // After a barrier any work-item may clear a word that only its group uses: it is a mark.
    const bool cleared = word.one_group && word.last_phase < step.phase;
    word.last_phase = step.phase;
    if (number != 0) {
        Hold& hold = holds_[number - 1];
        hold.release_site = step.site;
        hold.released_by = step.item;
        hold.release_phase = step.phase;
        hold.release_fenced = {!hold.dirty[local_space], !hold.dirty[global_space]};
    }
    if (cleared) {
        drop(word);
        return;
    }
    ++word.releases;
    word.release_sites.insert(step.site);
    drop(word);
    if (number == 0 || !may_release(holds_[number - 1], step))
        word.strays.push_back({step.item, step.site,
                               number == 0 ? std::nullopt : std::optional<std::uint32_t>(number)});
    if (number == 0)
        return;
    Hold& hold = holds_[number - 1];
    word.given_back = word.given_back || (hold.item == step.item && hold.phase == step.phase);
    hold.plain_release = plain;
    hold.released_in_loop =
        std::ranges::find(step.enclosing_loops, hold.spin_loop) != step.enclosing_loops.end();
}

/// Marks the word as free.
void Locks::drop(Word& word) {
    const std::uint32_t number = std::exchange(word.current, 0);
    if (number == 0)
        return;
    Hold& hold = holds_[number - 1];
    hold.released = true;
    std::vector<std::uint32_t>& own = held_[hold.item];
    std::erase(own, number);
}

void Locks::store(const AtomicStep& step) {
    const auto known = words_.find(step.word);
    if (known == words_.end())
        return;
    known->second.written = true;
    if (known->second.takes != 0 && step.after == 0)
        release(known->second, step, true);
}

void Locks::touch(std::uint32_t item, Space space) {
    const auto own = held_.find(item);
    if (own == held_.end())
        return;
    for (const std::uint32_t number : own->second)
        holds_[number - 1].dirty[space] = true;
}

void Locks::fence(std::uint32_t item, Space space, bool acquire, bool release) {
    const auto own = held_.find(item);
    if (own == held_.end())
        return;
    for (const std::uint32_t number : own->second) {
        Hold& hold = holds_[number - 1];
        hold.dirty[space] = hold.dirty[space] && !release;
        hold.lock_fenced[space] = hold.lock_fenced[space] || acquire;
    }
}

void Locks::end_at(std::uint32_t item, std::uint32_t branch) {
    if (const std::uint32_t held = held_by(item))
        holds_[held - 1].way_out = branch;
}

std::uint32_t Locks::held_by(std::uint32_t item) const {
    const auto own = held_.find(item);
    return own == held_.end() || own->second.empty() ? 0 : own->second.back();
}

const Hold* Locks::last_release_by(std::uint32_t item) const {
    const auto last = std::find_if(holds_.rbegin(), holds_.rend(), [&](const Hold& one) {
        return one.released && one.released_by == item;
    });
    return last == holds_.rend() ? nullptr : &*last;
}

bool Locks::holds(std::uint32_t item, std::uint64_t word) const {
    const auto own = held_.find(item);
    return own != held_.end() && std::ranges::any_of(own->second, [&](std::uint32_t number) {
               return hold(number).word == word;
           });
}

bool Locks::is_lock(std::uint64_t address) const {
    const auto known = words_.find(address);
    return known != words_.end() && looks_like_a_lock(known->second);
}

bool Locks::looks_like_a_lock(const Word& word) {
    // A sum or a toggle goes up and returns to 0 at one place.
    const bool one_place = std::ranges::any_of(
        word.release_sites, [&](std::uint32_t site) { return word.take_sites.contains(site); });
    if (word.takes == 0 || !word.only_taken_free || word.emptied || one_place)
        return false;
    // If a work-item waits for the word, or releases it itself, it is a lock. A work-item that sets
    // a flag continues either way, and any work-item clears it.
    return word.waited_for ||
           (word.releases > 0 && (word.taken_in_loops || (word.given_back && word.strays.empty())));
}

std::vector<Locks::Stray> Locks::strays() const {
    std::vector<Stray> all;
    for (const auto& [address, word] : words_) {
        if (looks_like_a_lock(word))
            all.insert(all.end(), word.strays.begin(), word.strays.end());
    }
    return all;
}

std::vector<Locks::WithoutLock> Locks::without_lock() const {
    std::vector<WithoutLock> all;
    for (const auto& [item, attempt] : attempts_) {
        const Word& word = words_.at(attempt.word);
        const bool never_taken = word.takes == 0 && !word.one_group;
        if (attempt.waits && attempt.from_start && (never_taken || looks_like_a_lock(word)))
            all.push_back({item, attempt.site, attempt.found});
    }
    return all;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> Locks::lock_step_hang() const {
    for (std::size_t i = 0; i < holds_.size(); ++i) {
        const Hold& a = holds_[i];
        if (!a.released || a.spin_loop == 0 || a.released_in_loop || !is_lock(a.word))
            continue;
        for (std::size_t j = i + 1; j < holds_.size() && j < i + max_warp_distance; ++j) {
            const Hold& b = holds_[j];
            if (b.word == a.word && b.item != a.item && b.warp == a.warp && b.phase == a.phase &&
                b.context == a.context && b.lock_site == a.lock_site)
                return std::make_pair(static_cast<std::uint32_t>(i + 1),
                                      static_cast<std::uint32_t>(j + 1));
        }
    }
    return std::nullopt;
}

std::uint32_t Locks::obstacle(std::uint32_t item) const {
    const auto attempt = attempts_.find(item);
    return attempt == attempts_.end() ? 0 : words_.at(attempt->second.word).current;
}

std::map<std::uint64_t, Locks::Contended> Locks::contended() const {
    std::map<std::uint64_t, Contended> found;
    for (const auto& [address, word] : words_) {
        // A word that is taken and never released elects a work-item; no other one waits for it.
        const bool elects = word.takes == 1 && word.releases == 0 && word.stored.size() == 1;
        if (word.changers.size() >= 2 && !elects)
            found[address] = {{word.stored.begin(), word.stored.end()}, looks_like_a_lock(word)};
    }
    return found;
}

} // namespace labgrind
