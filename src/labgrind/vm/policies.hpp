#pragma once

#include "labgrind/vm/counters.hpp"
#include "labgrind/vm/interleaving.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace labgrind::vm {

/// Draws the next work-item at every access to memory that the launch changes, with one of several
/// strategies; the seed determines it.
class DrawnPolicy final : public Policy {
  public:
    /// `contended`: that memory. `accesses`: about how many there are to it. `number` chooses the
    /// strategy.
    DrawnPolicy(std::uint64_t seed, std::size_t number, std::size_t items, const Pieces& contended,
                std::uint64_t accesses);
    const Pieces* contended() const override { return contended_; }
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_taken(std::size_t item) override;

  private:
    enum class Strategy {
        often,       ///< switches at every third access
        rarely,      ///< at every twentieth
        by_priority, ///< the work-item of highest priority runs; a few times it gets the lowest
        late,        ///< one work-item runs last whenever possible
        holder_late, ///< the work-item that took a word is late, some accesses later
    };

    static Strategy strategy_of(std::size_t number);
    std::size_t draw(const std::vector<std::size_t>& ready);
    std::size_t most_important(const std::vector<std::size_t>& ready) const;

    const Pieces* contended_;
    std::mt19937_64 random_;
    Strategy strategy_;
    std::vector<std::int64_t> priorities_;
    std::vector<std::uint64_t> changes_; ///< numbers of accesses, sorted
    std::uint64_t met_ = 0;              ///< accesses by all work-items
    std::int64_t least_ = 0;
    std::size_t late_ = 0;
    std::uint64_t late_until_ = 0; ///< a number of accesses by all work-items
    unsigned not_yet_ = 0;         ///< accesses that the late one makes first
};

/// Stops a work-item, and lets those of another group run for as long as they can: one that counts its
/// attempts may give up.
class PatientPolicy final : public Policy {
  public:
    /// Which work-item stops.
    enum class Holder {
        takes,     ///< the first one that takes a word, before it writes what the word protects
        publishes, ///< the first one that writes a word for others, before it does
    };

    PatientPolicy(Holder which, std::size_t group_size, std::size_t groups)
        : which_(which), group_size_(group_size), groups_(groups) {}
    /// Skips rounds of the loop in which the waiter does nothing but count. `is_probe`: ends the run
    /// when it is known whether the waiter keeps waiting after them.
    void skip(std::uint64_t rounds, bool is_probe) {
        rounds_to_skip_ = rounds;
        is_probe_ = is_probe;
    }
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_taken(std::size_t item) override;
    void on_round(const Round& round) override;
    bool asks_at_once() const override { return which_ == Holder::publishes; }
    bool has_seen_enough() const override {
        return is_probe_ && (outcome_ == Skipping::too_far || outcome_ == Skipping::still_waits);
    }

    Holder which() const { return which_; }
    /// The work-item that was stopped, and the one that gave up; empty if none has counted.
    std::optional<std::size_t> holder() const { return holder_; }
    std::optional<std::size_t> waiter() const { return waiter_; }
    /// An access in the loop in which the waiter counts; null: none has.
    const ir::Instruction* waits_at() const { return waits_at_; }
    /// Whether the waiter has done nothing but count, so that rounds can be skipped.
    bool only_counts() const { return only_counts_; }
    /// Whether the waiter keeps waiting after the rounds that were skipped.
    bool still_waits() const { return outcome_ == Skipping::still_waits; }

  private:
    enum class Phase { nothing_held, holder_runs, others_run, over };
    enum class Skipping { not_yet, skipped, too_far, still_waits };

    void note_round_of_waiter(const Round& round);

    Holder which_;
    Phase phase_ = Phase::nothing_held;
    std::size_t group_size_;
    std::size_t groups_;
    std::uint64_t rounds_to_skip_ = 0;
    bool is_probe_ = false;
    std::optional<std::size_t> holder_;
    std::optional<std::size_t> waiter_;
    const ir::Instruction* waits_at_ = nullptr;
    Counters counters_;
    bool only_counts_ = false;
    Skipping outcome_ = Skipping::not_yet;
};

/// Switches only where it must, and records where it would matter if a work-item stopped.
class SurveyPolicy final : public Policy {
  public:
    /// A place, before access number `access` at `line`, where a stop of `item` may matter to it or
    /// to others.
    struct Stop {
        std::size_t item = 0;
        std::uint64_t access = 0;
        int line = 0;
        int called_at = 0;  ///< the line of the call that led there; 0: none
        unsigned space = 0; ///< of the address
        ir::Address address = 0;
        bool changes = false;
        bool overwrites = false; ///< it writes a value that does not depend on the one before
        bool goes_on = false;    ///< it writes, and this is not its first such access
    };

    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override {
        return choose_next(place, ready);
    }
    void on_access(std::size_t item, std::uint64_t access, const ir::Instruction& instruction,
                   const WorkItem& state) override;
    /// The memory that the launch changes: global memory, and local memory if there were atomic
    /// operations on that.
    Pieces changed_pieces() const;
    /// The accesses to it.
    std::vector<Stop> stops() const;
    /// The global memory that is used atomically or through a volatile pointer.
    const Pieces& signal_pieces() const { return signals_; }
    /// The instructions whose writes may be late. Empty if there is only one that writes: then it
    /// makes no difference.
    std::vector<const ir::Instruction*> late_writes() const;
    /// The instructions that may read global memory early.
    const std::vector<const ir::Instruction*>& early_reads() const { return early_reads_; }
    /// An instruction that changes global memory atomically or through a volatile pointer, and how
    /// often a work-item has executed it before it stops there.
    struct Gathering {
        const ir::Instruction* place = nullptr;
        std::size_t times_before = 0;
    };
    /// The instructions that are executed again, the latest first.
    std::vector<Gathering> gatherings() const;

  private:
    struct Access {
        Stop where;
        std::uint32_t buffer = 0;
        bool is_atomic = false;
    };

    std::vector<Access> accesses_;
    Pieces changed_;
    Pieces signals_;
    std::vector<const ir::Instruction*> global_writes_;                ///< each once
    std::vector<const ir::Instruction*> early_reads_;                  ///< likewise
    std::set<std::pair<const ir::Instruction*, std::size_t>> writers_; ///< with work-items
    std::set<const ir::Instruction*> repeated_; ///< executed twice by one work-item
    bool local_atomics_ = false;
};

/// What another work-item does to the element before which the first one has stopped, if one of them changes
/// it.
struct Meanwhile {
    std::size_t item = 0;   ///< the first other one that accesses it
    std::vector<int> lines; ///< of its accesses, each once
    int called_at = 0;      ///< the line of the call that led to the first one; 0: none
};

/// Stops one work-item or several, each before one of its accesses, for as long as others can run;
/// the first one stopped continues first. Groups run one after the other as far as they can, in the
/// order of their numbers or `last_first`.
class StopPolicy final : public Policy {
  public:
    StopPolicy(const std::vector<SurveyPolicy::Stop>& stops, std::size_t group_size,
               bool last_first);
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_access(std::size_t item, std::uint64_t access, const ir::Instruction& instruction,
                   const WorkItem& state) override;
    /// Nothing if no other work-item accesses it.
    const std::optional<Meanwhile>& meanwhile() const { return meanwhile_; }
    /// Stops a work-item, too. It continues before those that have stopped so far.
    void stop(std::size_t item) {
        stopped_.push_front(item);
        count(item);
    }

  private:
    std::size_t next(const Place& place, const std::vector<std::size_t>& ready) const;
    void note_stop(std::size_t item, std::uint64_t access);
    void count(std::size_t item) {
        times_.resize(std::max(times_.size(), item + 1));
        ++times_[item];
    }
    bool is_stopped(std::size_t item) const { return item < times_.size() && times_[item] != 0; }

    std::vector<SurveyPolicy::Stop> to_come_;
    std::optional<SurveyPolicy::Stop> first_;
    std::optional<Meanwhile> meanwhile_;
    std::deque<std::size_t> stopped_; ///< items, in the order in which they continue
    std::vector<unsigned> times_;     ///< that an item is among these
    std::size_t group_size_;
    bool last_first_;
    std::size_t in_vain_ = 0; ///< stretches of others since one of them ended
};

/// Switches only where it must, with the groups in the opposite order.
class OppositePolicy final : public Policy {
  public:
    explicit OppositePolicy(std::size_t group_size) : group_size_(group_size) {}
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_access(std::size_t item, std::uint64_t access, const ir::Instruction& instruction,
                   const WorkItem& state) override;
    /// The line of the first store of a constant where another group has written before; 0: none.
    int resetting_line() const { return resetting_line_; }

  private:
    std::size_t group_size_;
    std::map<ir::Address, std::size_t> writers_; ///< the groups, by address
    int resetting_line_ = 0;
};

/// Lets the writes of one instruction take effect as late as OpenCL allows. Once a work-item has
/// written something else, which others do see, it stops for as long as they can run; the last one
/// that stops continues first. Those at `stops` stop, too, and continue after these.
class LatePolicy final : public Policy {
  public:
    LatePolicy(const ir::Instruction& write, std::size_t group_size,
               const std::vector<SurveyPolicy::Stop>& stops = {})
        : late_write_(&write), group_size_(group_size), stops_(stops, group_size, false) {}
    const ir::Instruction* late_write() const override { return late_write_; }
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_access(std::size_t item, std::uint64_t access, const ir::Instruction& instruction,
                   const WorkItem& state) override;

    /// The line of the first write that others have seen before a late one; 0: none, or unknown.
    int overtaking_line() const { return overtaking_line_; }

    /// The first write of another work-item of the group to the element of a late one, which the late one
    /// then overwrites.
    struct Overwritten {
        int line = 0;
        int called_at = 0; ///< the line of the call that led there; 0: none
    };
    const std::optional<Overwritten>& overwritten() const { return overwritten_; }

  private:
    const ir::Instruction* late_write_;
    std::size_t group_size_;
    StopPolicy stops_;
    std::set<std::size_t> late_;      ///< work-items with late writes
    std::set<std::size_t> overtaken_; ///< those that have written something else since
    int overtaking_line_ = 0;
    /// What late writes have written to, with the work-item.
    std::map<ir::Address, std::size_t> late_elements_;
    std::optional<Overwritten> overwritten_;
};

/// Another schedule in which one instruction reads global memory as early as OpenCL and its address
/// allow.
class EarlyPolicy final : public Policy {
  public:
    EarlyPolicy(const EarlyRead& early, std::unique_ptr<Policy> schedule)
        : early_(&early), schedule_(std::move(schedule)) {}
    const EarlyRead* early_read() const override { return early_; }
    const Pieces* contended() const override { return schedule_->contended(); }
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override {
        return schedule_->choose(place, ready);
    }
    void on_taken(std::size_t item) override { schedule_->on_taken(item); }
    void on_replaced_value(int line) override {
        overtaken_line_ = overtaken_line_ == 0 ? line : overtaken_line_;
    }

    /// The line of the access that should have come before the read; 0: not known.
    int overtaken_line() const { return overtaken_line_; }

  private:
    const EarlyRead* early_;
    std::unique_ptr<Policy> schedule_;
    int overtaken_line_ = 0;
};

/// Stops every work-item before it executes one instruction for the first time, or for the second,
/// for as long as others can run; the last one that stops continues first.
class GatherPolicy final : public Policy {
  public:
    GatherPolicy(const SurveyPolicy::Gathering& gathering, std::size_t group_size)
        : gathering_(gathering), stops_({}, group_size, false) {}
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_access(std::size_t item, std::uint64_t access, const ir::Instruction& instruction,
                   const WorkItem& state) override;

  private:
    SurveyPolicy::Gathering gathering_;
    StopPolicy stops_;
    std::map<std::size_t, std::size_t> times_; ///< that a work-item has executed it
};

/// Lets another work-item that changes something atomically run to its end, or as far as it can,
/// before each change that the first work-item makes: if its number of retries is limited, it gives
/// up.
class StarvingPolicy final : public Policy {
  public:
    static constexpr std::size_t starving = 0;
    static constexpr std::size_t most_in_vain = 8; ///< stretches of others that change nothing

    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;
    void on_access(std::size_t item, std::uint64_t access, const ir::Instruction& instruction,
                   const WorkItem& state) override;

  private:
    std::uint64_t last_change_ = 0; ///< number of the access that others have come before
    bool changed_ = false;          ///< by another work-item, since then
    std::size_t in_vain_ = 0;       ///< stretches in a row in which others went around a loop
};

/// Switches at the given places, and elsewhere only where it must.
class WrittenPolicy final : public Policy {
  public:
    explicit WrittenPolicy(const Switches& switches) : switches_(&switches) {}
    std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) override;

  private:
    const Switches* switches_;
};

} // namespace labgrind::vm
