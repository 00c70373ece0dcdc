#include "labgrind/schedules.hpp"

#include "labgrind/failed_swaps.hpp"
#include "labgrind/last_changes.hpp"
#include "labgrind/line_coverage.hpp"
#include "labgrind/program/address_sources.hpp"
#include "labgrind/program/loops.hpp"
#include "labgrind/reports/findings.hpp"
#include "labgrind/schedule_reports.hpp"
#include "labgrind/vm/policies.hpp"
#include "labgrind/vm/reordering.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

namespace labgrind {
namespace {

using ScheduleKind = wire::Schedule::Kind;

/// Instructions that all schedules of one kind may take together: some hundredths of a second.
constexpr std::uint64_t enough_instructions = 500'000;
/// The same for larger launches, which show little that small ones do not.
constexpr std::uint64_t enough_of_many_items = 250'000;
/// The same for finding the shortest explanation of one schedule.
constexpr std::uint64_t most_for_explaining = 10'000'000;
/// The same for a run in the usual schedule.
constexpr std::uint64_t most_of_a_run = 2'000'000;
constexpr std::size_t most_drawn = 400;
constexpr std::size_t most_pairs = 300;
constexpr std::size_t fewest_schedules = 2;
/// In larger launches even two drawn schedules take long, and show no more than in smaller ones.
constexpr std::size_t most_drawn_items = 1024;
/// Some schedules with a stop are tried with hundreds of groups: a queue may have too few places.
constexpr std::size_t most_items = 2048;
constexpr std::size_t stops_of_many = 2;
/// The limit for a single group, where no work-item of another group can come first.
constexpr std::size_t most_items_of_one_group = 256;
/// How many different results of a kind are reported at most, for each set of buffers that differ.
constexpr std::size_t most_results = 8;
/// If places in a queue are part of the results, many are right.
constexpr std::size_t most_results_of_stops = 32;
/// A schedule may take this many times the instructions of the usual one: work-items wait.
constexpr std::uint64_t longer = 4;
constexpr std::uint64_t always_allowed = 1'000'000;
/// Accesses of a work-item before which it stops in some schedule.
constexpr std::uint64_t most_accesses = 1024;
/// Random schedules in which the writes of one instruction are late, or its reads early.
constexpr std::size_t stops_for_reordering = 100;
/// Instructions that the standoff may take, first if rounds can be skipped, and then if they cannot.
/// That takes a second, so only the smallest launches are tried.
constexpr std::uint64_t enough_for_standoff = 1'000'000;
constexpr std::uint64_t most_for_standoff = 40'000'000;
/// How many such searches the launches of one program may make.
constexpr std::size_t most_long_searches = 4;
constexpr std::size_t very_few_items = 16;
/// Instructions that work-items may take in turns before they count as endless. Launches with few
/// work-items need much less.
constexpr std::uint64_t fair_turns = 4'000'000;
constexpr std::size_t few_items = 64;

/// The words that each work-item uses, and whether it changes them.
using Uses = std::map<std::tuple<std::size_t, unsigned, ir::Address>, bool>;

/// What a launch takes in the usual schedule, and where stopping a work-item may matter.
struct Survey {
    std::uint64_t results = 0;                 ///< their hash
    std::uint64_t allowed = 0;                 ///< instructions of another schedule
    std::uint64_t accesses = 0;                ///< to memory that it changes
    vm::Pieces contended;                      ///< that memory
    std::vector<vm::SurveyPolicy::Stop> stops; ///< at such accesses
    Uses uses;                                 ///< at these
    std::vector<const ir::Instruction*> late_writes;
    std::vector<vm::EarlyRead> early_reads;
    std::vector<vm::SurveyPolicy::Gathering> gatherings;
    /// Of memory that is used atomically.
    std::optional<Replay::UnwrittenElement> unwritten;
};

/// Those whose addresses are understood.
std::vector<vm::EarlyRead> early_reads(const ir::Module& module, const vm::SurveyPolicy& policy) {
    std::vector<vm::EarlyRead> reads;
    for (const ir::Instruction* read : policy.early_reads()) {
        if (auto sources = address_sources(module, *read))
            reads.push_back({read, std::move(*sources)});
    }
    return reads;
}

Survey survey(Replay& replay) {
    vm::SurveyPolicy policy;
    const vm::Interleaving run = replay.interleave(policy, most_of_a_run);
    std::vector<vm::SurveyPolicy::Stop> stops = policy.stops();
    const std::size_t accesses = stops.size();
    std::erase_if(stops, [](const auto& stop) { return stop.access >= most_accesses; });
    Uses uses;
    for (const vm::SurveyPolicy::Stop& stop : stops)
        uses[{stop.item, stop.space, stop.address}] |= stop.changes;
    return {replay.hash_of_results(),
            run.instructions * longer + always_allowed,
            accesses,
            policy.changed_pieces(),
            std::move(stops),
            std::move(uses),
            policy.late_writes(),
            early_reads(replay.module(), policy),
            policy.gatherings(),
            replay.first_unwritten(policy.signal_pieces())};
}

/// A schedule, ready to run.
struct Plan {
    std::unique_ptr<vm::Policy> policy;
    /// Describes a run; empty for a drawn schedule, of which describe_drawn() finds a short one.
    std::function<wire::Finding(const vm::Interleaving&)> describe = {};
    Replay::Unwritten unwritten = Replay::Unwritten::guard;
    bool may_starve = false; ///< a work-item that never ends is no mistake
};

/// One work-item stops once. `last_first`: the groups run in the opposite order, and uninitialized
/// memory holds 0.
struct StopSchedule {
    vm::SurveyPolicy::Stop stop;
    bool last_first = false;

    wire::Schedule schedule() const {
        return {ScheduleKind::one_stop,
                2 * (stop.item * most_accesses + stop.access) + (last_first ? 1 : 0)};
    }
};

/// Adds to a finding what happens in this run, but not in the usual schedule, whether the groups run at the
/// same time or one after the other: lines that run, and attempts that are not retried.
template <class Run>
wire::Finding with_details_of(Replay& replay, wire::Finding finding, const Run& run) {
    LineCoverage usual;
    LineCoverage there;
    FailedSwaps failed_as_usual;
    FailedSwaps failed_there;
    replay.run_with(usual);
    const auto watch = [&](const auto& repeat, vm::Watcher& first, vm::Watcher& second) {
        for (vm::Watcher* watcher : {&first, &second}) {
            replay.watch_interleaved(watcher);
            repeat();
        }
        replay.watch_interleaved(nullptr);
    };
    vm::SurveyPolicy policy;
    watch([&] { replay.interleave(policy, most_of_a_run); }, usual, failed_as_usual);
    watch(run, there, failed_there);
    add_lines_only_there(finding, there.beyond(usual));
    if (!failed_as_usual.not_retried())
        add_not_retried(finding, replay, failed_there.not_retried());
    return finding;
}

/// The schedules of a launch, except standoffs.
class Schedules {
  public:
    Schedules(Replay& replay, std::uint64_t seed)
        : replay_(replay), seed_(seed), usual_(survey(replay)) {}

    const Survey& usual() const { return usual_; }

    /// Returns nothing if the launch has no such schedule.
    std::optional<Plan> plan(const wire::Schedule& schedule) const {
        const std::uint64_t number = schedule.number;
        switch (schedule.kind) {
        case ScheduleKind::opposite:
            return run_opposite();
        case ScheduleKind::one_stop:
            return stop_at(number);
        case ScheduleKind::two_stops:
            return draw_two_stops(number);
        case ScheduleKind::stale_and_stop:
            return stop_with_stale_memory(number);
        case ScheduleKind::starving:
            return starve();
        case ScheduleKind::late:
            return write_late(number, {});
        case ScheduleKind::late_and_stop:
            return write_late(number / stops_for_reordering, draw_stop(number));
        case ScheduleKind::early:
            return read_early(number, std::make_unique<vm::SurveyPolicy>());
        case ScheduleKind::early_and_drawn:
            return read_early(number / stops_for_reordering, draw_stop_or_switches(number));
        case ScheduleKind::gathering:
            return gather(number);
        case ScheduleKind::drawn:
            return Plan{draw(number)};
        default:
            return std::nullopt;
        }
    }

    /// Runs a schedule. If a small launch does not end, finds out which work-items are stuck.
    vm::Interleaving run(const Plan& plan) const {
        const bool finds_stuck = replay_.items() <= few_items && !plan.may_starve;
        return replay_.interleave(*plan.policy, usual_.allowed, finds_stuck ? fair_turns : 0,
                                  plan.unwritten);
    }

  private:
    std::mt19937_64 random_for(std::uint64_t number) const {
        return std::mt19937_64(seed_ * 1000003 + number);
    }

    Plan starve() const {
        return {std::make_unique<vm::StarvingPolicy>(),
                [this](const auto& run) {
                    return with_details_of(replay_, describe_starving(replay_, run),
                                           [&] { this->run(starve()); });
                },
                Replay::Unwritten::guard, true};
    }

    Plan run_opposite() const {
        auto policy = std::make_unique<vm::OppositePolicy>(replay_.group_size());
        const vm::OppositePolicy& opposite = *policy;
        return {std::move(policy),
                [this, &opposite](const auto& /*run*/) {
                    return describe_opposite(replay_, opposite.resetting_line());
                },
                Replay::Unwritten::zero};
    }

    Plan stop(std::vector<vm::SurveyPolicy::Stop> stops, bool last_first) const {
        auto policy = std::make_unique<vm::StopPolicy>(stops, replay_.group_size(), last_first);
        const vm::StopPolicy& stopping = *policy;
        return {std::move(policy),
                [this, stops = std::move(stops), last_first, &stopping](const auto& run) {
                    if (stops.size() == 1 && !stopping.meanwhile()) {
                        if (const auto clearer = find_clearer_stop(replay_.hash_of_results()))
                            return clearer->describe(run);
                    }
                    return with_details_of(replay_, describe_stops(replay_, stops, stopping),
                                           [&] { this->run(stop(stops, last_first)); });
                },
                last_first ? Replay::Unwritten::zero : Replay::Unwritten::guard};
    }

    /// A schedule with one stop that also leads to `results`, and in which another work-item accesses
    /// the element before which the first one stops: that says more. Nothing if there is none.
    std::optional<Plan> find_clearer_stop(std::uint64_t results) const {
        std::uint64_t instructions = 0;
        for (const vm::SurveyPolicy::Stop& one : usual_.stops) {
            for (const bool last_first : {false, true}) {
                if (instructions >= most_for_explaining)
                    return std::nullopt;
                Plan plan = stop({one}, last_first);
                const vm::Interleaving run = this->run(plan);
                instructions += run.instructions;
                const auto& policy = dynamic_cast<const vm::StopPolicy&>(*plan.policy);
                if (run.ended && policy.meanwhile() && replay_.hash_of_results() == results)
                    return plan;
            }
        }
        return std::nullopt;
    }

    std::optional<Plan> stop_at(std::uint64_t number) const {
        for (const vm::SurveyPolicy::Stop& one : usual_.stops) {
            const bool last_first = number % 2 != 0;
            if (StopSchedule{one, last_first}.schedule().number == number)
                return stop({one}, last_first);
        }
        return std::nullopt;
    }

    std::optional<Plan> draw_two_stops(std::uint64_t number) const {
        if (usual_.stops.empty())
            return std::nullopt;
        std::mt19937_64 random = random_for(number);
        std::vector stops{usual_.stops[random() % usual_.stops.size()]};
        std::vector<vm::SurveyPolicy::Stop> others;
        std::ranges::copy_if(usual_.stops, std::back_inserter(others),
                             [&](const auto& other) { return meet(stops.front(), other); });
        if (!others.empty())
            stops.push_back(others[random() % others.size()]);
        return stop(std::move(stops), random() % 2 == 0);
    }

    /// Whether each of two work-items uses the word at which the other one stops, and one of them
    /// changes it. Elsewhere a later stop has the same effect on the two.
    bool meet(const vm::SurveyPolicy::Stop& one, const vm::SurveyPolicy::Stop& other) const {
        const auto matters = [&](const vm::SurveyPolicy::Stop& stop, std::size_t item) {
            const auto use = usual_.uses.find({item, stop.space, stop.address});
            return use != usual_.uses.end() && (stop.changes || use->second);
        };
        return one.item != other.item && matters(one, other.item) && matters(other, one.item);
    }

    std::optional<Plan> stop_with_stale_memory(std::uint64_t number) const {
        if (!usual_.unwritten || number >= usual_.stops.size())
            return std::nullopt;
        Plan plan = stop({usual_.stops[number]}, false);
        plan.describe = [this, number](const auto& /*run*/) {
            return describe_stale(replay_, *usual_.unwritten, usual_.stops[number]);
        };
        plan.unwritten = Replay::Unwritten::stale;
        return plan;
    }

    std::optional<Plan> write_late(std::uint64_t number,
                                   const std::vector<vm::SurveyPolicy::Stop>& stops) const {
        if (number >= usual_.late_writes.size())
            return std::nullopt;
        const ir::Instruction& write = *usual_.late_writes[number];
        auto policy = std::make_unique<vm::LatePolicy>(write, replay_.group_size(), stops);
        const vm::LatePolicy& late = *policy;
        return Plan{std::move(policy), [this, &write, &late](const auto& run) {
                        return describe_late(replay_, run, write.line, late);
                    }};
    }

    std::optional<Plan> read_early(std::uint64_t number,
                                   std::unique_ptr<vm::Policy> schedule) const {
        if (number >= usual_.early_reads.size())
            return std::nullopt;
        const vm::EarlyRead& read = usual_.early_reads[number];
        auto policy = std::make_unique<vm::EarlyPolicy>(read, std::move(schedule));
        const vm::EarlyPolicy& early = *policy;
        return Plan{std::move(policy), [this, &read, &early](const auto& run) {
                        return describe_early(replay_, run, read.read->line,
                                              early.overtaken_line());
                    }};
    }

    /// A work-item that waits with a limit sees what another one publishes only if both stop in between.
    std::unique_ptr<vm::Policy> draw_stop_or_switches(std::uint64_t number) const {
        if (number % 2 == 0)
            return std::make_unique<vm::StopPolicy>(draw_stop(number), replay_.group_size(), false);
        return draw(number / 2);
    }

    std::unique_ptr<vm::Policy> draw(std::uint64_t number) const {
        return std::make_unique<vm::DrawnPolicy>(seed_, number, replay_.items(), usual_.contended,
                                                 usual_.accesses);
    }

    /// Empty if there is nowhere to stop.
    std::vector<vm::SurveyPolicy::Stop> draw_stop(std::uint64_t number) const {
        if (usual_.stops.empty())
            return {};
        std::mt19937_64 random = random_for(number);
        return {usual_.stops[random() % usual_.stops.size()]};
    }

    std::optional<Plan> gather(std::uint64_t number) const {
        if (number >= usual_.gatherings.size())
            return std::nullopt;
        const vm::SurveyPolicy::Gathering& gathering = usual_.gatherings[number];
        return Plan{std::make_unique<vm::GatherPolicy>(gathering, replay_.group_size()),
                    [this, number, line = gathering.place->line](const auto& /*run*/) {
                        return with_details_of(replay_, describe_gathering(replay_, line),
                                               [&] { this->run(*gather(number)); });
                    }};
    }

    Replay& replay_;
    std::uint64_t seed_;
    Survey usual_;
};

using Holder = vm::PatientPolicy::Holder;

/// The number of such a standoff among the schedules of its kind.
std::uint64_t number_of(Holder which) { return which == Holder::takes ? 0 : 1; }

/// Runs a standoff up to the last round of the loop in which a work-item only counts. The
/// launch is deterministic, so trying as many rounds as possible does not need to go back.
std::uint64_t rounds_to_skip(Replay& replay, Holder which) {
    std::uint64_t rounds = 0;
    for (std::uint64_t more = std::uint64_t{1} << 40; more > 0; more /= 2) {
        vm::PatientPolicy probe(which, replay.group_size(), replay.groups());
        probe.skip(rounds + more, true);
        replay.interleave(probe, enough_for_standoff);
        if (probe.still_waits())
            rounds += more;
    }
    return rounds;
}

/// What `policy` has shown in a run that has ended; nothing if no work-item gave up.
std::optional<Standoff> standoff_of(const vm::PatientPolicy& policy, const vm::Interleaving& run) {
    if (!policy.holder() || policy.waits_at() == nullptr)
        return std::nullopt;
    const bool is_over_lock =
        policy.which() == Holder::takes && policy.waits_at()->atomic() != ir::Atomic::none;
    Standoff standoff{*policy.holder(), *policy.waiter(), policy.waits_at(), is_over_lock};
    for (const vm::Interleaving::Stretch& one : run.stretches) {
        if (standoff.line == 0 && one.item == standoff.holder)
            standoff.line = one.stops_before;
    }
    return standoff;
}

/// Lets a work-item hold a word for as long as another one takes to give up waiting for it, if it counts
/// its attempts. Returns nothing if none gives up. `long_searches`: those of the program so far.
std::optional<Standoff> find_standoff(Replay& replay, Holder which, std::size_t& long_searches) {
    vm::PatientPolicy first(which, replay.group_size(), replay.groups());
    const vm::Interleaving at_first = replay.interleave(first, enough_for_standoff);
    if (at_first.ended)
        return standoff_of(first, at_first);
    if (++long_searches > most_long_searches)
        return std::nullopt;
    if (first.only_counts()) {
        vm::PatientPolicy skipping(which, replay.group_size(), replay.groups());
        skipping.skip(rounds_to_skip(replay, which), false);
        const vm::Interleaving run = replay.interleave(skipping, enough_for_standoff);
        if (run.ended)
            return standoff_of(skipping, run);
    }
    // A loop that ends at exactly one number must not skip it.
    vm::PatientPolicy patient(which, replay.group_size(), replay.groups());
    const vm::Interleaving run = replay.interleave(patient, most_for_standoff);
    return run.ended ? standoff_of(patient, run) : std::nullopt;
}

/// Whether the waiter gave up a loop that ends when it reads something else. Otherwise it may have
/// done other work for long.
bool is_certain(const Standoff& standoff) { return Loops().is_ended_by(standoff.waits_at); }

/// Removes switches, first many at a time and in the end one, as long as `keeps_results` accepts the
/// results.
template <class KeepsResults> vm::Interleaving shorten(Replay& replay, vm::Interleaving run,
                                                       std::uint64_t allowed,
                                                       const KeepsResults& keeps_results) {
    using Switches = vm::Switches;
    std::uint64_t instructions = 0;
    Switches switches = run.switches;
    for (std::size_t many = (switches.size() + 1) / 2; many > 0; many /= 2) {
        std::size_t kept = 0; // of those tried so far
        while (kept < switches.size() && instructions < most_for_explaining) {
            const auto begin = std::next(switches.begin(), static_cast<std::ptrdiff_t>(kept));
            const std::size_t count = std::min(many, switches.size() - kept);
            Switches fewer(switches.begin(), begin);
            fewer.insert(std::next(begin, static_cast<std::ptrdiff_t>(count)), switches.end());
            vm::WrittenPolicy policy(fewer);
            vm::Interleaving shorter = replay.interleave(policy, allowed);
            instructions += shorter.instructions;
            if (shorter.ended && keeps_results(replay.hash_of_results())) {
                switches = std::move(fewer);
                run = std::move(shorter);
            } else {
                kept += count;
            }
        }
    }
    return run;
}

/// Tries schedules, and records those with new results.
class Search {
  public:
    Search(Replay& replay, std::uint64_t seed, std::size_t& long_searches)
        : replay_(replay), seed_(seed), long_searches_(long_searches), schedules_(replay, seed) {}

    OtherSchedules run() {
        try_standoff();
        if (replay_.groups() > 1)
            attempt({ScheduleKind::opposite});
        try_stops();
        if (schedules_.usual().unwritten && replay_.items() <= few_items)
            try_all(ScheduleKind::stale_and_stop, schedules_.usual().stops.size(), most_results);
        if (!others_.mistake && replay_.items() <= most_drawn_items) {
            try_all(ScheduleKind::gathering, schedules_.usual().gatherings.size(), most_results);
            try_all(ScheduleKind::drawn, most_drawn, most_results);
            try_late();
            try_all(ScheduleKind::early, schedules_.usual().early_reads.size(), most_results);
            if (replay_.items() <= few_items && !schedules_.usual().stops.empty()) {
                std::vector<std::size_t> reads(schedules_.usual().early_reads.size());
                std::iota(reads.begin(), reads.end(), std::size_t{0});
                try_reordered(ScheduleKind::late_and_stop, overtaken_);
                try_reordered(ScheduleKind::early_and_drawn, reads);
            }
        }
        if (!others_.mistake) {
            attempt({ScheduleKind::starving});
            for (const Holder which : uncertain_standoffs_) {
                if (find_standoff(replay_, which, long_searches_))
                    note({ScheduleKind::uncertain_standoff, number_of(which)}, {});
            }
        }
        return std::move(others_);
    }

  private:
    /// This schedule has just run.
    void note(const wire::Schedule& schedule, const vm::Interleaving& run) {
        if (replay_.stray())
            others_.mistake = describe_stray(replay_, *replay_.stray());
        else if (!run.ended && !run.stuck.empty() && replay_.items() <= few_items)
            others_.mistake = describe_hang(schedule);
        else if (run.diverges && keeps_order(schedule.kind))
            others_.mistake = find_divergence(schedule);
        else if (run.ended && replay_.differing_buffers() != 0 &&
                 seen_.insert(replay_.hash_of_results()).second &&
                 found_[replay_.differing_buffers()]++ < most_found_)
            others_.schedules.push_back(schedule);
    }

    /// Whether the accesses of each work-item take effect in their order: otherwise, a missing fence says
    /// more than what follows from it.
    static bool keeps_order(ScheduleKind kind) { return kind < ScheduleKind::late; }

    /// Finds a barrier that only some work-items of a group reach in this schedule. Nothing if it is the
    /// filling of uninitialized memory that leads there.
    std::optional<wire::Finding> find_divergence(const wire::Schedule& schedule) {
        replay_.run_in_turns(*schedules_.plan(schedule)->policy, schedules_.usual().allowed);
        for (const wire::Finding& one : replay_.observer().analysis().findings) {
            if (one.kind != FindingKind::divergent_barrier)
                continue;
            wire::Finding found = one;
            found.message = "in some schedules, " + found.message;
            found.while_waiting = true;
            others_.schedules.clear();
            return found;
        }
        return std::nullopt;
    }

    wire::Finding describe_hang(const wire::Schedule& schedule) {
        LastChanges changes;
        replay_.watch_interleaved(&changes);
        const Plan plan = *schedules_.plan(schedule);
        const vm::Interleaving run = schedules_.run(plan);
        replay_.watch_interleaved(nullptr);
        return keeps_order(schedule.kind) ? labgrind::describe_hang(replay_, run, changes)
                                          : plan.describe(run);
    }

    /// Runs a schedule. Returns the instructions that it takes.
    std::uint64_t attempt(const wire::Schedule& schedule) {
        const std::optional<Plan> plan = schedules_.plan(schedule);
        if (!plan)
            return 0;
        const vm::Interleaving run = schedules_.run(*plan);
        if (run.ended || !plan->may_starve || replay_.stray())
            note(schedule, run);
        return run.instructions;
    }

    void try_standoff() {
        if (replay_.items() > very_few_items || replay_.groups() == 1)
            return;
        for (const Holder which : {Holder::takes, Holder::publishes}) {
            const std::optional<Standoff> standoff = find_standoff(replay_, which, long_searches_);
            if (standoff && is_certain(*standoff))
                note({ScheduleKind::standoff, number_of(which)}, {});
            else if (standoff)
                uncertain_standoffs_.push_back(which);
        }
    }

    void try_stops() {
        std::vector<StopSchedule> singles;
        for (const vm::SurveyPolicy::Stop& stop : schedules_.usual().stops)
            singles.insert(singles.end(), {{stop, false}, {stop, true}});
        // There may be too many.
        std::shuffle(singles.begin(), singles.end(), std::mt19937_64(seed_));
        if (replay_.items() > few_items) {
            std::stable_partition(singles.begin(), singles.end(),
                                  [&](const StopSchedule& one) { return stops_early(one); });
            prefer_first_store(singles);
            singles.resize(std::min(singles.size(), stops_of_many));
        }
        try_some(singles.size(), most_results_of_stops,
                 [&](std::size_t i) { return attempt(singles[i].schedule()); });
        if (replay_.items() <= very_few_items)
            try_all(ScheduleKind::two_stops, most_pairs, most_results_of_stops);
    }

    /// Puts the first store or exchange of a work-item in front: if it is under a lock, the work-item
    /// has not yet changed anything that the others may change in the meantime.
    void prefer_first_store(std::vector<StopSchedule>& singles) const {
        const auto stores = [&](const StopSchedule& one) {
            return stops_early(one) && one.stop.overwrites;
        };
        const auto drawn = std::ranges::find_if(singles, stores);
        if (drawn == singles.end())
            return;
        std::swap(*drawn, singles.front());
        for (StopSchedule& one : singles) {
            StopSchedule& first = singles.front();
            if (stores(one) && one.last_first == first.last_first &&
                one.stop.item == first.stop.item && one.stop.access < first.stop.access)
                std::swap(one, first);
        }
    }

    /// Whether many work-items come after the one that stops, which has already changed something.
    bool stops_early(const StopSchedule& one) const {
        const std::size_t item = one.stop.item;
        const std::size_t before = one.last_first ? replay_.items() - 1 - item : item;
        return one.stop.goes_on && before < replay_.items() / 2;
    }

    void try_late() {
        try_some(schedules_.usual().late_writes.size(), most_results, [&](std::size_t i) {
            const wire::Schedule schedule{ScheduleKind::late, i};
            const std::optional<Plan> plan = schedules_.plan(schedule);
            const vm::Interleaving run = schedules_.run(*plan);
            note(schedule, run);
            if (dynamic_cast<const vm::LatePolicy&>(*plan->policy).overtaking_line() != 0)
                overtaken_.push_back(i);
            return run.instructions;
        });
    }

    /// Tries random schedules in which one of these accesses, by their numbers, is reordered.
    void try_reordered(ScheduleKind kind, const std::vector<std::size_t>& accesses) {
        const std::size_t count = accesses.size();
        try_some(stops_for_reordering * count, most_results, [&](std::size_t i) {
            return attempt({kind, accesses[i % count] * stops_for_reordering + i / count});
        });
    }

    void try_all(ScheduleKind kind, std::size_t count, std::size_t results) {
        try_some(count, results, [&](std::size_t i) { return attempt({kind, i}); });
    }

    /// Tries `count` schedules of one kind, fewer if it takes too long: `attempt` gets a number from 0 and
    /// returns the instructions that it took. Records `results` new results for each set of buffers that
    /// they differ in: a lock differs in each order, but what it protects only if it fails.
    template <class Attempt>
    void try_some(std::size_t count, std::size_t results, const Attempt& attempt) {
        const std::uint64_t enough =
            replay_.items() <= few_items ? enough_instructions : enough_of_many_items;
        found_.clear();
        most_found_ = results;
        std::uint64_t instructions = 0;
        for (std::size_t i = 0; i < count && !others_.mistake; ++i) {
            if (i >= fewest_schedules && instructions >= enough)
                return;
            instructions += attempt(i);
        }
    }

    Replay& replay_;
    std::uint64_t seed_;
    std::size_t& long_searches_;
    Schedules schedules_;
    std::set<std::uint64_t> seen_;               ///< results, as hashes
    std::map<std::uint64_t, std::size_t> found_; ///< how many of a kind, by the buffers that differ
    std::size_t most_found_ = most_results;
    std::vector<Holder> uncertain_standoffs_;
    std::vector<std::size_t> overtaken_; ///< late writes, by their numbers, that others came before
    OtherSchedules others_;
};

/// Describes a run in a drawn schedule by one with few switches that leads to the same results.
wire::Finding describe_drawn(Replay& replay, const vm::Interleaving& run, std::uint64_t results,
                             const Survey& usual) {
    vm::WrittenPolicy again(run.switches);
    constexpr std::size_t short_enough = 4; // switches
    vm::Interleaving shown = replay.interleave(again, usual.allowed);
    if (shown.ended && replay.hash_of_results() == results)
        shown = shorten(replay, std::move(shown), usual.allowed,
                        [&](std::uint64_t others) { return others == results; });
    if (shown.switches.size() > short_enough) // any wrong result is as good an explanation
        shown = shorten(replay, std::move(shown), usual.allowed,
                        [&](std::uint64_t others) { return others != usual.results; });
    return with_details_of(replay, describe_switches(replay, shown), [&] {
        vm::WrittenPolicy policy(shown.switches);
        replay.interleave(policy, usual.allowed);
    });
}

/// Whether an access or a barrier is wrong. What else an observer finds needs the end of the launch.
bool shows_while_waiting(const wire::Finding& one) {
    return one.kind == FindingKind::data_race || one.kind == FindingKind::barrier_flag ||
           one.kind == FindingKind::divergent_barrier || one.kind == FindingKind::uninitialized ||
           one.kind == FindingKind::out_of_bounds;
}

} // namespace

bool ends_with_all_groups(Replay& replay) {
    vm::SurveyPolicy policy;
    return replay.interleave(policy, most_of_a_run).ended;
}

OtherSchedules find_other_schedules(Replay& replay, std::uint64_t seed,
                                    std::size_t& long_searches) {
    const bool is_one_group = replay.groups() == 1;
    if (replay.items() > (is_one_group ? most_items_of_one_group : most_items))
        return {};
    return Search(replay, seed, long_searches).run();
}

std::vector<wire::Finding> find_mistakes_of_waiting(Replay& replay) {
    if (replay.groups() == 1 || replay.items() > few_items)
        return {};
    constexpr std::uint64_t always_watched = 50'000; // instructions
    vm::SurveyPolicy usual;
    const std::uint64_t instructions = replay.interleave(usual, most_of_a_run).instructions;
    for (const vm::SurveyPolicy::Gathering& gathering : usual.gatherings()) {
        vm::GatherPolicy policy(gathering, replay.group_size());
        replay.run_in_turns(policy, instructions * longer + always_watched);
        std::vector<wire::Finding> found = replay.observer().analysis().findings;
        std::erase_if(found, [](const wire::Finding& one) { return !shows_while_waiting(one); });
        for (wire::Finding& one : found) {
            one.while_waiting = true;
            one.explanation += "; it happens if some groups arrive late at line " +
                               std::to_string(gathering.place->line);
        }
        if (!found.empty())
            return found;
    }
    return {};
}

ScheduleRun run_schedule(Replay& replay, std::uint64_t seed, const wire::Schedule& schedule,
                         bool is_explained) {
    const Schedules schedules(replay, seed);
    replay.keep_results(); // interleave() uses them to find words that are never written
    std::optional<Standoff> standoff;
    if (schedule.kind == ScheduleKind::standoff ||
        schedule.kind == ScheduleKind::uncertain_standoff) {
        std::size_t none = 0; // it has been found before
        standoff =
            find_standoff(replay, schedule.number == 0 ? Holder::takes : Holder::publishes, none);
        if (!standoff)
            survey(replay); // the usual schedule
    }
    const std::optional<Plan> plan = schedules.plan(schedule);
    LastReads reads;
    replay.watch_interleaved(is_explained ? &reads : nullptr);
    const vm::Interleaving run = plan ? schedules.run(*plan) : vm::Interleaving();
    replay.watch_interleaved(nullptr);
    const std::uint64_t results = replay.hash_of_results();
    replay.keep_results();
    if (!is_explained)
        return {};
    ScheduleRun explained{{}, replay.words_of_arguments(reads)};
    if (results == schedules.usual().results) {
        replay.compute(false, schedules.usual().allowed); // one group after the other
        if (results != replay.hash_of_results())
            explained.finding = describe_turns(replay);
    } else if (standoff) {
        explained.finding = describe_standoff(replay, *standoff);
    } else {
        explained.finding = plan->describe
                                ? plan->describe(run)
                                : describe_drawn(replay, run, results, schedules.usual());
    }
    return explained;
}

} // namespace labgrind
