#include "labgrind/interleaving.hpp"

#include "labgrind/late_writes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>

namespace labgrind::vm {
namespace {

/// Accesses without a switch after which a work-item is assumed to wait for others.
constexpr std::uint64_t long_stretch = 64;
/// Stands for an access number when the first work-item of all is chosen.
constexpr std::uint64_t first_choice = ~std::uint64_t{0};
/// How long others run when one work-item is late, in their accesses.
constexpr std::uint64_t long_delay = 20'000;

bool contains(const std::vector<std::size_t>& sorted, std::size_t item) {
    return std::ranges::binary_search(sorted, item);
}

/// Whether `instruction` writes a value that does not depend on the one before.
bool overwrites(const ir::Instruction& instruction) {
    return instruction.opcode == ir::Opcode::store || instruction.atomic() == ir::Atomic::exchange;
}

/// The line of `instruction`, or of another one in its block if it has none in the source.
int line_near(const ir::Instruction& instruction) {
    int line = instruction.line;
    for (const ir::Instruction* one : instruction.block->instructions)
        line = line == 0 ? one->line : line;
    return line;
}

bool takes_a_word(const WorkItem& item, const ir::Instruction& call) {
    if (call.atomic() != ir::Atomic::exchange && call.atomic() != ir::Atomic::compare_exchange)
        return false;
    const std::uint64_t given = item.operand(call.operands.back()).get_unsigned();
    return given != 0 && item.operand(&call).get_unsigned() == 0;
}

/// A launch that runs.
class Play {
  public:
    Play(Launch& launch, Policy& policy)
        : policy_(&policy), late_write_(policy.late_write()), contended_(policy.contended()),
          global_memory_(&launch.global_memory()) {
        const std::size_t groups = volume(launch.group_counts());
        for (std::size_t number = 0; number < groups; ++number) {
            groups_.push_back(std::make_unique<Group>(launch, number));
            for (WorkItem& item : groups_.back()->items())
                items_.push_back({&item, 0, 0});
            members_.push_back({groups_.back()->items().size(), false});
        }
        ready_.resize(items_.size());
        std::iota(ready_.begin(), ready_.end(), std::size_t{0});
    }

    /// `fairly`: the number of further instructions for which work-items that have not ended take
    /// turns.
    Played run(std::uint64_t most_instructions, std::uint64_t fairly) {
        std::size_t now = choose({0, first_choice, false});
        while (!ready_.empty()) {
            const auto chosen = run_until_switch(now, most_instructions);
            if (!chosen) {
                played_.ended = ready_.empty();
                break;
            }
            now = *chosen;
        }
        for (Item& one : items_)
            one.late.settle(*global_memory_);
        if (!played_.ended)
            take_turns(fairly);
        for (const std::size_t item : ready_)
            note_stuck(item);
        return std::move(played_);
    }

  private:
    struct Item {
        WorkItem* item;
        std::uint64_t accesses; ///< its own, so far
        std::uint64_t stretch;  ///< those since it was chosen
        /// A hash of its variables when it was last interrupted, by instruction.
        std::map<const ir::Instruction*, std::size_t> rounds = {};
        bool has_changed_memory = false; ///< since it was last interrupted in a loop
        LateWrites late = {};
    };

    /// How many work-items of a group can continue, and whether one waits for the others.
    struct Members {
        std::size_t ready;
        bool wait;
    };

    static bool is_ready(const Item& one) { return one.item->state() == WorkItem::State::ready; }

    /// `now` has ended or waits. Its group meets if none of its work-items can continue.
    void note_stop(std::size_t now) {
        ready_.erase(std::ranges::lower_bound(ready_, now));
        Group& group = items_[now].item->group();
        Members& members = members_[group.number()];
        --members.ready;
        members.wait = members.wait || items_[now].item->state() == WorkItem::State::waits;
        if (members.ready != 0 || !members.wait)
            return;
        group.meet();
        members.wait = false;
        const std::size_t first = now - items_[now].item->number();
        std::vector<std::size_t> met;
        for (std::size_t i = first; i < first + group.items().size(); ++i) {
            if (is_ready(items_[i]))
                met.push_back(i);
        }
        members.ready = met.size();
        ready_.insert(std::ranges::lower_bound(ready_, first), met.begin(), met.end());
    }

    std::size_t choose(const Policy::Place& place) {
        const std::size_t chosen = policy_->choose(place, ready_);
        if (chosen != choose_next(place, ready_))
            played_.switches[place] = chosen;
        return chosen;
    }

    /// The work-item that runs next, or nothing if all have ended or time is up.
    std::optional<std::size_t> run_until_switch(std::size_t now, std::uint64_t most_instructions) {
        Item& one = items_[now];
        one.stretch = 0;
        bool asks = false; // a chosen work-item makes an access before the next choice
        while (is_ready(one)) {
            const ir::Instruction& instruction = *one.item->next();
            const ir::Value* target = instruction.shared_pointer;
            const bool shared = target != nullptr;
            const bool settles = !one.late.empty() && one.late.end_before(*one.item, instruction);
            const bool asks_here = settles || (shared && is_contended(one, instruction, *target));
            if (asks_here && std::exchange(asks, true)) {
                const std::size_t chosen = choose_before(now, instruction);
                if (policy_->has_seen_enough())
                    return std::nullopt;
                if (chosen != now)
                    return chosen;
            }
            if (shared)
                policy_->on_access(now, one.accesses, instruction, *one.item);
            if (settles)
                one.late.settle(*global_memory_);
            step(one, instruction, target);
            if (++played_.instructions > most_instructions)
                return std::nullopt;
            if (!shared)
                continue;
            ++one.accesses;
            ++one.stretch;
            if (takes_a_word(*one.item, instruction))
                policy_->on_taken(now);
        }
        played_.stretches.push_back({now, 0});
        note_stop(now);
        if (ready_.empty())
            return std::nullopt;
        return choose({now, one.accesses, true});
    }

    /// Whether work-items take turns at the access of `one` to what `target` points to.
    bool is_contended(const Item& one, const ir::Instruction& instruction,
                      const ir::Value& target) {
        if (contended_ == nullptr || one.stretch >= long_stretch)
            return true;
        const std::pair piece{target.type->space,
                              ir::buffer_of(one.item->operand(&target).get_address())};
        if (contended_->count(piece) != 0 || changed_.contains(piece))
            return true;
        const bool changes = instruction.opcode != ir::Opcode::load;
        if (changes && piece.first == ir::global_space)
            changed_.insert(piece);
        return false;
    }

    std::size_t choose_before(std::size_t now, const ir::Instruction& instruction) {
        Item& one = items_[now];
        if (ready_.size() == 1)
            return now;
        const bool must_stop = one.stretch >= long_stretch;
        if (must_stop) {
            note_round(now, instruction);
            settle(one);
        }
        const std::size_t chosen =
            choose({now, one.accesses, must_stop, !one.late.empty(), &instruction});
        if (chosen != now)
            played_.stretches.push_back({now, must_stop ? 0 : instruction.line});
        else if (must_stop)
            one.stretch = 0;
        return chosen;
    }

    /// No write is late forever: `now` loops, perhaps until another work-item sees what it has
    /// written, or until it sees what one wrote that has ended.
    void settle(Item& now) {
        now.late.settle(*global_memory_);
        for (Item& one : items_) {
            if (one.item->state() == WorkItem::State::finished)
                one.late.settle(*global_memory_);
        }
    }

    /// Executes the next instruction. `target`: where it may access shared memory, or null.
    void step(Item& one, const ir::Instruction& instruction, const ir::Value* target) const {
        if (&instruction == late_write_)
            return one.late.step(*one.item);
        if (target == nullptr || instruction.opcode == ir::Opcode::load)
            return one.item->step();
        const Memory& memory = one.item->memory(target->type->space);
        const Address address = one.item->operand(target).get_address();
        const auto read = [&] {
            constexpr std::size_t word = 4;
            return memory.is_valid(address, word) ? memory.number_at(address, word) : 0;
        };
        const std::uint64_t before = read();
        one.item->step();
        one.has_changed_memory = one.has_changed_memory || read() != before;
    }

    /// No work-item waits for long here, even if others are in endless loops.
    void take_turns(std::uint64_t most_instructions) {
        constexpr int turn = 200; // instructions
        std::uint64_t instructions = 0;
        while (!ready_.empty() && instructions < most_instructions) {
            for (const std::size_t now : std::vector<std::size_t>(ready_)) {
                for (int i = 0; i < turn && is_ready(items_[now]); ++i, ++instructions)
                    items_[now].item->step();
                if (!is_ready(items_[now]))
                    note_stop(now);
            }
        }
    }

    void note_stuck(std::size_t number) {
        const WorkItem& item = *items_[number].item;
        const ir::Instruction* caller = item.caller();
        played_.stuck.push_back(
            {number, line_near(*item.next()), caller == nullptr ? 0 : caller->line, item.next()});
    }

    void note_round(std::size_t now, const ir::Instruction& instruction) {
        Item& one = items_[now];
        const std::size_t variables = one.item->private_memory().hash();
        const auto [before, is_first] = one.rounds.try_emplace(&instruction, variables);
        const bool has_changed_variables = std::exchange(before->second, variables) != variables;
        const bool has_changed_memory = std::exchange(one.has_changed_memory, false);
        if (!is_first)
            policy_->on_round(
                {now, &instruction, one.item, has_changed_variables, has_changed_memory});
    }

    Policy* policy_;
    const ir::Instruction* late_write_;
    const Pieces* contended_;
    Pieces changed_; ///< other memory, in this run
    Memory* global_memory_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::vector<Item> items_;
    std::vector<Members> members_;   ///< by group
    std::vector<std::size_t> ready_; ///< sorted
    Played played_;
};

} // namespace

DrawnPolicy::DrawnPolicy(std::uint64_t seed, std::size_t number, std::size_t items,
                         const Pieces& contended, std::uint64_t accesses)
    : contended_(&contended), random_(seed * 1000003 + number), habit_(habit_of(number)),
      late_(random_() % items), late_until_(habit_ == Habit::late ? long_delay : 0) {
    constexpr int most_changes = 3;
    if (habit_ != Habit::by_priority)
        return;
    priorities_.resize(items);
    for (std::size_t i = 0; i < items; ++i)
        priorities_[i] = static_cast<std::int64_t>(i) + 1;
    std::shuffle(priorities_.begin(), priorities_.end(), random_);
    for (int i = 0; i < most_changes; ++i)
        changes_.push_back(random_() % std::max<std::uint64_t>(accesses, 1));
    std::ranges::sort(changes_);
}

DrawnPolicy::Habit DrawnPolicy::habit_of(std::size_t number) {
    constexpr std::array habits{Habit::often,       Habit::by_priority, Habit::rarely, Habit::late,
                                Habit::by_priority, Habit::holder_late, Habit::often,  Habit::late};
    return habits.at(number % habits.size());
}

std::size_t DrawnPolicy::draw(const std::vector<std::size_t>& ready) {
    return ready[random_() % ready.size()];
}

std::size_t DrawnPolicy::most_important(const std::vector<std::size_t>& ready) const {
    return *std::ranges::max_element(
        ready, [&](std::size_t a, std::size_t b) { return priorities_[a] < priorities_[b]; });
}

std::size_t DrawnPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    ++met_;
    const auto one_in = [&](std::uint64_t times) { return random_() % times == 0; };
    switch (habit_) {
    case Habit::often:
        return place.must_stop || one_in(3) ? draw(ready) : place.item;
    case Habit::rarely:
        return place.must_stop || one_in(20) ? draw(ready) : place.item;
    case Habit::by_priority: {
        const bool changes = !changes_.empty() && changes_.front() <= met_;
        if (!changes && !place.must_stop && place.access != first_choice)
            return place.item; // it still has the highest priority
        if (changes)
            changes_.erase(changes_.begin());
        if (changes || place.must_stop) // it waits for another work-item
            priorities_[place.item] = --least_;
        return most_important(ready);
    }
    default:
        break;
    }
    if (met_ >= late_until_)
        return place.must_stop || (habit_ == Habit::holder_late && one_in(3)) ? draw(ready)
                                                                              : place.item;
    const bool is_busy = place.item == late_ && not_yet_ > 0;
    if (is_busy)
        --not_yet_;
    if ((is_busy || place.item != late_) && !place.must_stop)
        return place.item;
    std::vector<std::size_t> others;
    std::copy_if(ready.begin(), ready.end(), std::back_inserter(others),
                 [&](std::size_t one) { return one != late_; });
    return others.empty() ? late_ : draw(others);
}

void DrawnPolicy::on_taken(std::size_t item) {
    if (habit_ != Habit::holder_late || met_ < late_until_)
        return;
    constexpr unsigned most_accesses = 10;
    late_ = item;
    late_until_ = met_ + long_delay;
    not_yet_ = static_cast<unsigned>(random_() % most_accesses);
}

std::size_t PatientPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    if (phase_ == Phase::holder_runs && place.item == holder_ && place.writes())
        phase_ = Phase::others_run;
    if (phase_ != Phase::others_run)
        return choose_next(place, ready);
    if (place.item == waiter_ && contains(ready, place.item))
        return place.item;
    const std::size_t group = (*holder_ / group_size_ + 1) % groups_;
    const auto first = std::ranges::lower_bound(ready, group * group_size_);
    const auto last = std::lower_bound(first, ready.end(), (group + 1) * group_size_);
    if (waiter_ || first == last) {
        phase_ = Phase::over;
        return choose_next({place.item, place.access, true}, ready);
    }
    const bool is_outside = place.item / group_size_ != group;
    return choose_next({place.item, place.access, place.must_stop || is_outside}, {first, last});
}

void PatientPolicy::on_taken(std::size_t item) {
    if (phase_ != Phase::nothing_held)
        return;
    holder_ = item;
    phase_ = Phase::holder_runs;
}

void PatientPolicy::on_round(const Round& round) {
    if (phase_ != Phase::others_run)
        return;
    if (!waiter_ && !round.has_changed_variables && !round.has_changed_memory) {
        phase_ = Phase::over; // it waits forever
        return;
    }
    if (!waiter_) {
        waiter_ = round.item;
        waits_at_ = round.instruction;
    }
    if (round.item == waiter_ && round.instruction == waits_at_)
        note_round_of_waiter(round);
}

void PatientPolicy::note_round_of_waiter(const Round& round) {
    if (outcome_ == Skipping::skipped)
        outcome_ = Skipping::still_waits;
    if (outcome_ != Skipping::not_yet)
        return;
    if (round.has_changed_memory)
        counters_ = {};
    counters_.note(round.state->private_memory());
    only_counts_ = counters_.are_steady();
    if (only_counts_ && rounds_to_skip_ != 0)
        outcome_ = counters_.skip(round.state->private_memory(), rounds_to_skip_)
                       ? Skipping::skipped
                       : Skipping::too_far;
}

void SurveyPolicy::on_access(std::size_t item, std::uint64_t access,
                             const ir::Instruction& instruction, const WorkItem& state) {
    const ir::Value* pointer = instruction.shared_pointer;
    const unsigned space = pointer->type->space;
    const std::uint32_t buffer = ir::buffer_of(state.operand(pointer).get_address());
    const bool changes = instruction.opcode != ir::Opcode::load;
    const bool is_atomic = instruction.atomic() != ir::Atomic::none;
    accesses_.push_back({{item, access, instruction.line, overwrites(instruction)},
                         space,
                         buffer,
                         changes,
                         is_atomic});
    if (changes)
        changed_.emplace(space, buffer);
    if (changes && space == ir::global_space) {
        if (std::ranges::find(global_writes_, &instruction) == global_writes_.end())
            global_writes_.push_back(&instruction);
        if (!writers_.emplace(&instruction, item).second)
            repeated_.insert(&instruction);
    }
    if (space == ir::local_space && is_atomic)
        local_atomics_ = true;
}

Pieces SurveyPolicy::changed_pieces() const {
    Pieces pieces;
    std::copy_if(
        changed_.begin(), changed_.end(), std::inserter(pieces, pieces.end()),
        [&](const auto& piece) { return piece.first == ir::global_space || local_atomics_; });
    return pieces;
}

std::vector<SurveyPolicy::Stop> SurveyPolicy::stops() const {
    const Pieces pieces = changed_pieces();
    std::vector<Stop> stops;
    std::map<std::size_t, std::uint32_t> first_buffers; ///< of each work-item
    for (const Access& one : accesses_) {
        if (!pieces.contains({one.space, one.buffer}))
            continue;
        stops.push_back(one.where);
        const auto [first, is_first] = first_buffers.emplace(one.where.item, one.buffer);
        stops.back().goes_on = one.changes && !is_first;
        if (one.is_atomic && one.buffer == first->second) // it opens the lock that it took first
            stops.back().overwrites = false;
    }
    return stops;
}

std::vector<const ir::Instruction*> SurveyPolicy::late_writes() const {
    std::vector<const ir::Instruction*> late;
    if (global_writes_.size() > 1)
        std::copy_if(global_writes_.begin(), global_writes_.end(), std::back_inserter(late),
                     [](const ir::Instruction* one) { return may_be_late(*one); });
    return late;
}

std::vector<SurveyPolicy::Gathering> SurveyPolicy::gatherings() const {
    std::vector<Gathering> found;
    for (const std::size_t times_before : {1, 0}) {
        for (const ir::Instruction* one : global_writes_) {
            const bool is_signal = one->is_volatile || one->atomic() != ir::Atomic::none;
            if (is_signal && (times_before == 0 || repeated_.contains(one)))
                found.push_back({one, times_before});
        }
    }
    return found;
}

std::size_t StopPolicy::next(const Place& place, const std::vector<std::size_t>& ready) const {
    if (place.access == first_choice)
        return last_first_ ? ready.back() : ready.front();
    if (!place.must_stop)
        return place.item;
    const std::size_t first = place.item / group_size_ * group_size_;
    const auto begin = std::ranges::lower_bound(ready, first);
    const auto end = std::lower_bound(begin, ready.end(), first + group_size_);
    const auto after = std::upper_bound(begin, end, place.item);
    if (after != end)
        return *after;
    if (begin != end && *begin < place.item)
        return *begin;
    // No other work-item of the group can continue.
    if (last_first_)
        return begin == ready.begin() ? ready.back() : *std::prev(begin);
    return end == ready.end() ? ready.front() : *end;
}

StopPolicy::StopPolicy(const std::vector<SurveyPolicy::Stop>& stops, std::size_t group_size,
                       bool last_first)
    : to_come_(stops), group_size_(group_size), last_first_(last_first) {
    for (const SurveyPolicy::Stop& stop : stops) {
        if (stop.access == 0) // before it has begun
            note_stop(stop.item, 0);
    }
}

void StopPolicy::note_stop(std::size_t item, std::uint64_t access) {
    const auto stop = std::ranges::find_if(
        to_come_, [&](const auto& one) { return one.item == item && one.access == access; });
    if (stop == to_come_.end())
        return;
    to_come_.erase(stop);
    stopped_.push_back(item);
    count(item);
}

std::size_t StopPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    note_stop(place.item, place.access);
    const bool goes_on = !place.must_stop && place.access != first_choice;
    if (stopped_.empty() || (goes_on && !is_stopped(place.item)))
        return next(place, ready);
    std::vector<std::size_t> others;
    std::copy_if(ready.begin(), ready.end(), std::back_inserter(others),
                 [&](std::size_t one) { return !is_stopped(one); });
    if (place.must_stop) {
        const bool goes_round = contains(ready, place.item);
        in_vain_ = goes_round ? in_vain_ + 1 : 0;
    }
    if (!others.empty() && in_vain_ <= others.size())
        return next({place.item, place.access, place.must_stop || is_stopped(place.item)}, others);
    // All others have tried.
    in_vain_ = 0;
    const std::size_t first = stopped_.front();
    stopped_.pop_front();
    --times_[first];
    return contains(ready, first) ? first : next(place, ready);
}

std::size_t LatePolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    if (!place.is_late)
        late_.erase(place.item);
    if (overtaken_.erase(place.item) != 0 && place.is_late)
        stops_.stop(place.item);
    return stops_.choose(place, ready);
}

void LatePolicy::on_access(std::size_t item, std::uint64_t /*access*/,
                           const ir::Instruction& instruction, const WorkItem& /*state*/) {
    if (&instruction == late_write_)
        late_.insert(item);
    if (&instruction == late_write_ || instruction.opcode == ir::Opcode::load ||
        !late_.contains(item) || instruction.shared_pointer->type->space != ir::global_space)
        return;
    overtaken_.insert(item);
    if (overtaking_line_ == 0)
        overtaking_line_ = instruction.line;
}

std::size_t GatherPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    const auto times = times_.find(place.item);
    if (place.instruction == gathering_.place &&
        gathering_.times_before == (times == times_.end() ? 0 : times->second))
        stops_.stop(place.item);
    return stops_.choose(place, ready);
}

void GatherPolicy::on_access(std::size_t item, std::uint64_t /*access*/,
                             const ir::Instruction& instruction, const WorkItem& /*state*/) {
    if (&instruction == gathering_.place)
        ++times_[item];
}

std::size_t StarvingPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    const bool can = ready.front() == starving;
    if (place.item == starving) {
        if (place.access == first_choice || !place.writes() || place.access == last_change_)
            return choose_next(place, ready);
        last_change_ = place.access;
        changed_ = false;
        return choose_next({place.item, place.access, true}, ready);
    }
    if (!place.must_stop || !can)
        return choose_next(place, ready);
    // Others may wait for the starving one. The last work-item at a barrier can continue at once, but
    // waits for nothing.
    in_vain_ = contains(ready, place.item) ? in_vain_ + 1 : 0;
    if (changed_ || in_vain_ > most_in_vain || ready.size() == 1) {
        in_vain_ = 0;
        return starving;
    }
    const auto after = std::ranges::upper_bound(ready, place.item);
    return after == ready.end() ? ready[1] : *after;
}

void StarvingPolicy::on_access(std::size_t item, std::uint64_t /*access*/,
                               const ir::Instruction& instruction, const WorkItem& /*state*/) {
    changed_ = changed_ || (item != starving && instruction.atomic() != ir::Atomic::none);
}

std::size_t choose_next(const Policy::Place& place, const std::vector<std::size_t>& ready) {
    if (!place.must_stop)
        return place.item;
    const auto after = std::ranges::upper_bound(ready, place.item);
    return after == ready.end() ? ready.front() : *after;
}

std::size_t WrittenPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    const auto found = switches_->find(place);
    const bool can = found != switches_->end() && contains(ready, found->second);
    return can ? found->second : choose_next(place, ready);
}

Played play(Launch& launch, Policy& policy, std::uint64_t most_instructions, std::uint64_t fairly) {
    return Play(launch, policy).run(most_instructions, fairly);
}

} // namespace labgrind::vm
