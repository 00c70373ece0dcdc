#include "labgrind/vm/policies.hpp"

#include "labgrind/vm/reordering.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace labgrind::vm {
namespace {

/// How long others run when one work-item is late, in their accesses.
constexpr std::uint64_t long_delay = 20'000;

bool contains(const std::vector<std::size_t>& sorted, std::size_t item) {
    return std::ranges::binary_search(sorted, item);
}

/// Whether an access can change memory.
bool may_change(const ir::Instruction& access) {
    const bool loads_vector = access.opcode == ir::Opcode::call && access.callee != nullptr &&
                              access.callee->plain_name.starts_with("vload");
    return access.opcode != ir::Opcode::load && !loads_vector;
}

/// Whether `instruction` writes a value that does not depend on the one before.
bool overwrites(const ir::Instruction& instruction) {
    return instruction.opcode == ir::Opcode::store || instruction.atomic() == ir::Atomic::exchange;
}

} // namespace

DrawnPolicy::DrawnPolicy(std::uint64_t seed, std::size_t number, std::size_t items,
                         const Pieces& contended, std::uint64_t accesses)
    : contended_(&contended), random_(seed * 1000003 + number), strategy_(strategy_of(number)),
      late_(random_() % items), late_until_(strategy_ == Strategy::late ? long_delay : 0) {
    constexpr int most_changes = 3;
    if (strategy_ != Strategy::by_priority)
        return;
    priorities_.resize(items);
    for (std::size_t i = 0; i < items; ++i)
        priorities_[i] = static_cast<std::int64_t>(i) + 1;
    std::shuffle(priorities_.begin(), priorities_.end(), random_);
    for (int i = 0; i < most_changes; ++i)
        changes_.push_back(random_() % std::max<std::uint64_t>(accesses, 1));
    std::ranges::sort(changes_);
}

DrawnPolicy::Strategy DrawnPolicy::strategy_of(std::size_t number) {
    constexpr std::array strategies{Strategy::often, Strategy::by_priority, Strategy::rarely,
                                    Strategy::late,  Strategy::by_priority, Strategy::holder_late,
                                    Strategy::often, Strategy::late};
    return strategies.at(number % strategies.size());
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
    switch (strategy_) {
    case Strategy::often:
        return place.must_stop || one_in(3) ? draw(ready) : place.item;
    case Strategy::rarely:
        return place.must_stop || one_in(20) ? draw(ready) : place.item;
    case Strategy::by_priority: {
        const bool changes = !changes_.empty() && changes_.front() <= met_;
        if (!changes && !place.must_stop && !place.is_first_choice())
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
        return place.must_stop || (strategy_ == Strategy::holder_late && one_in(3)) ? draw(ready)
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
    if (strategy_ != Strategy::holder_late || met_ < late_until_)
        return;
    constexpr unsigned most_accesses = 10;
    late_ = item;
    late_until_ = met_ + long_delay;
    not_yet_ = static_cast<unsigned>(random_() % most_accesses);
}

std::size_t PatientPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    if (phase_ == Phase::holder_runs && place.item == holder_ && place.writes())
        phase_ = Phase::others_run;
    if (which_ == Holder::publishes && phase_ == Phase::nothing_held &&
        place.instruction != nullptr && may_be_late(*place.instruction)) {
        holder_ = place.item;
        phase_ = Phase::others_run;
    }
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
    if (which_ != Holder::takes || phase_ != Phase::nothing_held)
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
    const ir::Address address = state.operand(pointer).get_address();
    const std::uint32_t buffer = ir::buffer_of(address);
    const bool changes = may_change(instruction);
    const bool is_atomic = instruction.atomic() != ir::Atomic::none;
    accesses_.push_back({{item, access, instruction.line, state.called_at(), space, address,
                          changes, overwrites(instruction)},
                         buffer,
                         is_atomic});
    if (changes)
        changed_.emplace(space, buffer);
    if (space == ir::global_space && (is_atomic || instruction.is_volatile))
        signals_.emplace(space, buffer);
    if (changes && space == ir::global_space) {
        if (std::ranges::find(global_writes_, &instruction) == global_writes_.end())
            global_writes_.push_back(&instruction);
        if (!writers_.emplace(&instruction, item).second)
            repeated_.insert(&instruction);
    }
    if (may_be_early(state) && std::ranges::find(early_reads_, &instruction) == early_reads_.end())
        early_reads_.push_back(&instruction);
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
        if (!pieces.contains({one.where.space, one.buffer}))
            continue;
        stops.push_back(one.where);
        const auto [first, is_first] = first_buffers.emplace(one.where.item, one.buffer);
        stops.back().goes_on = one.where.changes && !is_first;
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
    if (place.is_first_choice())
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
    if (!stops.empty())
        first_ = stops.front();
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
    const bool goes_on = !place.must_stop && !place.is_first_choice();
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

void StopPolicy::on_access(std::size_t item, std::uint64_t /*access*/,
                           const ir::Instruction& instruction, const WorkItem& state) {
    const ir::Value* pointer = instruction.shared_pointer;
    const bool both_read = first_ && !first_->changes && !may_change(instruction);
    if (!first_ || both_read || item == first_->item || !is_stopped(first_->item) ||
        pointer->type->space != first_->space ||
        state.operand(pointer).get_address() != first_->address)
        return;
    if (!meanwhile_) {
        meanwhile_ = Meanwhile{item, {}, state.called_at()};
    }
    std::vector<int>& lines = meanwhile_->lines;
    if (item == meanwhile_->item && std::ranges::find(lines, instruction.line) == lines.end())
        lines.push_back(instruction.line);
}

std::size_t OppositePolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    const auto first_of_group_with = [&](std::size_t item) {
        return *std::ranges::lower_bound(ready, item / group_size_ * group_size_);
    };
    if (place.is_first_choice())
        return first_of_group_with(ready.back());
    if (!place.must_stop)
        return place.item;
    const std::size_t begin = place.item / group_size_ * group_size_;
    const auto after = std::ranges::upper_bound(ready, place.item);
    if (after != ready.end() && *after < begin + group_size_)
        return *after;
    const auto group = std::ranges::lower_bound(ready, begin);
    return first_of_group_with(group == ready.begin() ? ready.back() : *std::prev(group));
}

void OppositePolicy::on_access(std::size_t item, std::uint64_t /*access*/,
                               const ir::Instruction& instruction, const WorkItem& state) {
    const ir::Value* pointer = instruction.shared_pointer;
    if (instruction.opcode == ir::Opcode::load || pointer->type->space != ir::global_space)
        return;
    const std::size_t group = item / group_size_;
    const auto [writer, is_first] = writers_.emplace(state.operand(pointer).get_address(), group);
    const bool is_constant = instruction.opcode == ir::Opcode::store &&
                             instruction.operands[0]->value_kind == ir::Value::Kind::constant;
    if (!is_first && writer->second != group && is_constant && resetting_line_ == 0)
        resetting_line_ = instruction.line;
    writer->second = group;
}

std::size_t LatePolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    if (!place.is_late)
        late_.erase(place.item);
    // At a barrier, it is not known whether its writes have settled.
    if (!place.is_late && place.instruction != nullptr)
        std::erase_if(late_elements_, [&](const auto& one) { return one.second == place.item; });
    if (overtaken_.erase(place.item) != 0 && place.is_late)
        stops_.stop(place.item);
    return stops_.choose(place, ready);
}

void LatePolicy::on_access(std::size_t item, std::uint64_t /*access*/,
                           const ir::Instruction& instruction, const WorkItem& state) {
    const bool is_global = instruction.shared_pointer->type->space == ir::global_space;
    const bool writes = is_global && instruction.opcode != ir::Opcode::load && !may_be_early(state);
    if (writes && !overwritten_) {
        const auto known =
            late_elements_.find(state.operand(instruction.shared_pointer).get_address());
        if (known != late_elements_.end() && known->second != item &&
            known->second / group_size_ == item / group_size_) {
            overwritten_ = {instruction.line, state.called_at()};
        }
    }
    if (&instruction == late_write_) {
        late_.insert(item);
        late_elements_[state.operand(instruction.shared_pointer).get_address()] = item;
    }
    if (&instruction == late_write_ || !writes || !late_.contains(item))
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
        const bool is_private_to_group =
            place.instruction != nullptr && place.instruction->atomic() == ir::Atomic::none &&
            place.instruction->shared_pointer->type->space == ir::local_space;
        if (place.is_first_choice() || !place.writes() || is_private_to_group ||
            place.access == last_change_)
            return choose_next(place, ready);
        last_change_ = place.access;
        changed_ = false;
        return choose_next({place.item, place.access, true}, ready);
    }
    if (!place.must_stop || !can)
        return choose_next(place, ready);
    const bool is_ready = contains(ready, place.item);
    if (is_ready && place.instruction == nullptr && !changed_)
        return place.item;                  // the last one at a barrier
    in_vain_ = is_ready ? in_vain_ + 1 : 0; // it may wait for the starving one
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

std::size_t WrittenPolicy::choose(const Place& place, const std::vector<std::size_t>& ready) {
    const auto found = switches_->find(place);
    const bool can = found != switches_->end() && contains(ready, found->second);
    return can ? found->second : choose_next(place, ready);
}

} // namespace labgrind::vm
