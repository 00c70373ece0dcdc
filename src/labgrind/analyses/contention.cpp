#include "labgrind/analyses/contention.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace labgrind {
namespace {

/// How many work-items overtake one at a compare-and-swap: more than a few retries can survive.
constexpr unsigned most_overtakings = 64;
/// How far the other work-item runs: it may have to wait for the one that it overtakes.
constexpr std::uint64_t most_instructions = 10'000;

} // namespace

void Contention::begin(const Instruction::Atomic& operation, vm::Memory& memory, std::uint64_t word,
                       vm::Address address, std::size_t size, Group& group, const Item& item) {
    const bool compares = operation.compares;
    if (overtaking_ != nullptr || (!compares && !operation.exchanges))
        return;
    const auto known = words_.find(word);
    if (known == words_.end())
        return;
    unsigned& times = late_[{item.number, word}];
    if (!known->second.lock) {
        if (times++ < most_overtakings)
            let_another_pass(group, item);
        return;
    }
    // An attempt to take the lock finds it taken.
    const std::uint64_t given =
        item.item->operand(item.item->current()->operands[1]).get_unsigned();
    std::byte* bytes = memory.at(address);
    if (vm::number_at(bytes, size) != 0 || (compares ? given != 0 : given == 0) ||
        times >= failures_)
        return;
    const auto taken =
        std::ranges::find_if(known->second.values, [](std::uint64_t value) { return value != 0; });
    if (taken == known->second.values.end())
        return;
    ++times;
    pretended_.memory = bytes;
    pretended_.size = size;
    std::memcpy(pretended_.truth.data(), bytes, size);
    std::memcpy(bytes, &*taken, size);
}

/// Runs the next work-item of the group that has not begun yet, up to its next barrier or its end,
/// as if it were faster.
void Contention::let_another_pass(Group& group, const Item& item) {
    const auto other = std::ranges::find_if(group.items, [&](const Item& one) {
        return one.local > item.local && one.instructions == 0 &&
               one.item->state() == vm::WorkItem::State::ready;
    });
    if (other == group.items.end())
        return;
    overtaking_ = &*other;
    vm::WorkItem* work_item = other->item;
    const std::uint64_t most = other->instructions + most_instructions;
    while (work_item->state() == vm::WorkItem::State::ready && other->instructions < most)
        work_item->step();
    overtaking_ = nullptr;
}

bool Contention::was_made_to_fail(const AtomicStep& step, int line) {
    if (pretended_.memory == nullptr)
        return false;
    std::memcpy(pretended_.memory, pretended_.truth.data(), pretended_.size);
    pretended_.memory = nullptr;
    const ir::Block* loop = step.loops_around.empty() ? nullptr : step.loops_around.front();
    failed_attempts_[{step.item, step.word}] = {line, step.spin, step.uses_result, loop};
    return true;
}

/// A work-item that loops until one of several words is free has succeeded with another word.
void Contention::settle(const AtomicStep& step) {
    for (auto attempt = failed_attempts_.begin(); attempt != failed_attempts_.end();) {
        const bool settled = attempt->first.first == step.item &&
                             attempt->first.second != step.word &&
                             attempt->second.spin == step.spin;
        attempt = settled ? failed_attempts_.erase(attempt) : std::next(attempt);
    }
}

void Contention::note_outcome(const AtomicStep& step, bool compares, int line) {
    if (step.tries && step.writes && step.spin != 0)
        settle(step);
    const auto known = words_.find(step.word);
    if (known == words_.end())
        return;
    const ItemWord key{step.item, step.word};
    const auto waiting = failed_attempts_.find(key);
    if (!known->second.lock) {
        if (compares && !step.writes)
            failed_attempts_[key] = {line, step.spin, step.uses_result, nullptr};
        else if (waiting != failed_attempts_.end())
            failed_attempts_.erase(waiting);
    } else if (waiting != failed_attempts_.end() && step.writes) {
        if (step.after == 0 && step.changes && !compares)
            note_broken_in(waiting->second, step, line);
        failed_attempts_.erase(waiting);
    }
}

/// Notes that a work-item releases a lock that it did not get.
void Contention::note_broken_in(const Attempt& attempt, const AtomicStep& release, int line) {
    const bool is_repeated = std::ranges::count(release.loops_around, attempt.loop) != 0;
    const BrokenIn broken{attempt.line, attempt.uses_result, line, is_repeated};
    if (std::ranges::count(broken_in_, broken) == 0)
        broken_in_.push_back(broken);
}

bool Contention::is_lock(std::uint64_t word) const {
    const auto known = words_.find(word);
    return known != words_.end() && known->second.lock;
}

std::vector<Contention::GivenUp> Contention::given_up() const {
    std::vector<GivenUp> given_up;
    for (const auto& [place, attempt] : failed_attempts_)
        given_up.push_back({attempt.line, place.second, is_lock(place.second)});
    return given_up;
}

} // namespace labgrind
