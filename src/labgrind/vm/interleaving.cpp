#include "labgrind/vm/interleaving.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

namespace labgrind::vm {
namespace {

/// Accesses without a switch after which a work-item is assumed to wait for others.
constexpr std::uint64_t long_stretch = 64;

/// The line of `instruction`, or of another one in its block if it has none in the source.
int line_near(const ir::Instruction& instruction) {
    int line = instruction.line;
    for (const ir::Instruction* one : instruction.block->instructions)
        line = line == 0 ? one->line : line;
    return line;
}

/// Whether `call` takes a word, if that is free: it sets a nonzero value.
bool tries_to_take(const WorkItem& item, const ir::Instruction& call) {
    return (call.atomic() == ir::Atomic::exchange ||
            call.atomic() == ir::Atomic::compare_exchange) &&
           item.operand(call.operands.back()).get_unsigned() != 0;
}

/// A launch that runs.
class Interleaver {
  public:
    Interleaver(Launch& launch, Policy& policy)
        : policy_(&policy), late_write_(policy.late_write()), contended_(policy.contended()),
          global_memory_(&launch.global_memory()) {
        const std::size_t groups = volume(launch.group_counts());
        for (std::size_t number = 0; number < groups; ++number) {
            groups_.push_back(std::make_unique<Group>(launch, number));
            for (WorkItem& item : groups_.back()->items())
                items_.push_back({&item, 0, 0});
            members_.push_back({groups_.back()->items().size(), false});
        }
        if (const EarlyRead* early = policy.early_read())
            earlier_.emplace(*early, items_.size(), volume(launch.group_size));
        ready_.resize(items_.size());
        std::iota(ready_.begin(), ready_.end(), std::size_t{0});
    }

    /// `fairly`: the number of further instructions for which work-items that have not ended take
    /// turns.
    Interleaving run(std::uint64_t most_instructions, std::uint64_t fairly) {
        std::size_t now = choose({0, Policy::Place::first_choice, false});
        while (!ready_.empty()) {
            const auto chosen = run_until_switch(now, most_instructions);
            if (!chosen) {
                run_.ended = ready_.empty();
                break;
            }
            now = *chosen;
        }
        for (Item& one : items_)
            one.late.settle(*global_memory_);
        if (!run_.ended)
            take_turns(fairly);
        for (const std::size_t item : ready_)
            note_stuck(item);
        return std::move(run_);
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
        std::optional<Address> tries = std::nullopt; ///< the global word that it last tried to take
        std::uint64_t waits = 0;                     ///< how often it has waited
    };

    /// How many work-items of a group can continue, and whether one waits for the others.
    struct Members {
        std::size_t ready;
        bool wait;
    };

    static bool is_ready(const Item& one) { return one.item->state() == WorkItem::State::ready; }

    /// Whether all work-items of a group wait at the same barrier.
    static bool is_at_one_barrier(Group& group) {
        return std::ranges::all_of(group.items(), [&](const WorkItem& one) {
            return one.state() == WorkItem::State::waits &&
                   one.current() == group.items().front().current();
        });
    }

    /// `now` has ended or waits. Its group meets if none of its work-items can continue.
    void note_stop(std::size_t now) {
        ready_.erase(std::ranges::lower_bound(ready_, now));
        Group& group = items_[now].item->group();
        Members& members = members_[group.number()];
        --members.ready;
        members.wait = members.wait || items_[now].item->state() == WorkItem::State::waits;
        if (members.ready != 0 || !members.wait)
            return;
        const std::size_t first = now - items_[now].item->number();
        run_.diverges = run_.diverges || !is_at_one_barrier(group);
        group.meet();
        members.wait = false;
        std::vector<std::size_t> met;
        for (std::size_t i = first; i < first + group.items().size(); ++i) {
            if (!is_ready(items_[i]))
                continue;
            met.push_back(i);
            if (earlier_)
                earlier_->meet(*items_[i].item, i);
        }
        members.ready = met.size();
        ready_.insert(std::ranges::lower_bound(ready_, first), met.begin(), met.end());
    }

    std::size_t choose(const Policy::Place& place) {
        const std::size_t chosen = policy_->choose(place, ready_);
        if (chosen != choose_next(place, ready_))
            run_.switches[place] = chosen;
        return chosen;
    }

    /// The work-item that runs next, or nothing if all have ended or time is up.
    std::optional<std::size_t> run_until_switch(std::size_t now, std::uint64_t most_instructions) {
        Item& one = items_[now];
        one.stretch = 0;
        // A chosen work-item makes an access before the next choice.
        bool asks = run_.stretches.empty() && policy_->asks_at_once();
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
            if (earlier_)
                step_early(now);
            else
                step(one, instruction, target);
            if (++run_.instructions > most_instructions)
                return std::nullopt;
            if (!shared)
                continue;
            ++one.accesses;
            ++one.stretch;
            if (note_attempt(now, instruction))
                policy_->on_taken(now);
        }
        run_.stretches.push_back({now, 0});
        note_stop(now);
        if (ready_.empty())
            return std::nullopt;
        return choose(
            {.item = now, .access = one.accesses, .must_stop = true, .waits = one.waits++});
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
            choose({now, one.accesses, must_stop, !one.late.empty(), &instruction, one.waits});
        if (chosen != now)
            run_.stretches.push_back({now, must_stop ? 0 : instruction.line});
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

    /// The same in a run in which one instruction reads early.
    void step_early(std::size_t now) {
        if (const auto line = earlier_->step(*items_[now].item, now))
            policy_->on_replaced_value(*line);
    }

    /// No work-item waits for long here, even if others are in endless loops.
    void take_turns(std::uint64_t most_instructions) {
        constexpr int turn = 200; // instructions
        std::uint64_t instructions = 0;
        while (!ready_.empty() && instructions < most_instructions) {
            for (const std::size_t now : std::vector<std::size_t>(ready_)) {
                for (int i = 0; i < turn && is_ready(items_[now]); ++i, ++instructions) {
                    const ir::Instruction& instruction = *items_[now].item->next();
                    items_[now].item->step();
                    note_attempt(now, instruction);
                }
                if (!is_ready(items_[now]))
                    note_stop(now);
            }
        }
    }

    /// Notes what `now` has just done, and returns whether it has taken a word.
    bool note_attempt(std::size_t now, const ir::Instruction& instruction) {
        const WorkItem& item = *items_[now].item;
        if (!tries_to_take(item, instruction))
            return false;
        const bool has_taken = item.operand(&instruction).get_unsigned() == 0;
        if (instruction.shared_pointer->type->space == ir::global_space) {
            const Address word = item.operand(instruction.shared_pointer).get_address();
            items_[now].tries = has_taken ? std::nullopt : std::optional(word);
            if (has_taken)
                takers_[word] = now;
        }
        return has_taken;
    }

    void note_stuck(std::size_t number) {
        const WorkItem& item = *items_[number].item;
        run_.stuck.push_back({number, line_near(*item.next()), item.called_at(), item.next()});
        const std::optional<Address> word = items_[number].tries;
        const auto taker = word ? takers_.find(*word) : takers_.end();
        if (taker != takers_.end())
            run_.stuck.back().waits_for = taker->second;
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
    std::optional<EarlierValues> earlier_; ///< if there are early reads
    const Pieces* contended_;
    Pieces changed_; ///< other memory, in this run
    Memory* global_memory_;
    std::map<Address, std::size_t> takers_; ///< by global word: the last work-item that took it
    std::vector<std::unique_ptr<Group>> groups_;
    std::vector<Item> items_;
    std::vector<Members> members_;   ///< by group
    std::vector<std::size_t> ready_; ///< sorted
    Interleaving run_;
};

} // namespace

std::size_t choose_next(const Policy::Place& place, const std::vector<std::size_t>& ready) {
    if (!place.must_stop)
        return place.item;
    const auto after = std::ranges::upper_bound(ready, place.item);
    return after == ready.end() ? ready.front() : *after;
}

Interleaving interleave(Launch& launch, Policy& policy, std::uint64_t most_instructions,
                        std::uint64_t fairly) {
    return Interleaver(launch, policy).run(most_instructions, fairly);
}

} // namespace labgrind::vm
