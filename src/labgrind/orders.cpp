#include "labgrind/orders.hpp"

#include "labgrind/findings.hpp"
#include "labgrind/loops.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace labgrind {
namespace {

/// Instructions that all schedules of one kind may take together: some hundredths of a second.
constexpr std::uint64_t enough_instructions = 500'000;
/// The same for larger launches, which show little that small ones do not.
constexpr std::uint64_t enough_of_many_items = 250'000;
/// The same for finding the shortest explanation of one schedule.
constexpr std::uint64_t most_for_explaining = 10'000'000;
/// The same for a run without switches.
constexpr std::uint64_t most_of_a_run = 2'000'000;
constexpr std::size_t most_orders = 400; ///< drawn schedules
constexpr std::size_t most_pairs = 300;
constexpr std::size_t fewest_orders = 2;
/// In larger launches even two drawn schedules take long, and show no more than in smaller ones.
constexpr std::size_t most_drawn_items = 1024;
/// Some schedules with a stop are tried with hundreds of groups: a queue may have too few places.
constexpr std::size_t most_items = 2048;
constexpr std::size_t stops_of_many = 2;
/// The limit for a single group, where no work-item of another group can come first.
constexpr std::size_t most_items_of_one_group = 256;
/// How many different results are reported at most.
constexpr std::size_t most_results = 8;
/// If places in a queue are part of the results, many are right.
constexpr std::size_t most_results_of_stops = 32;
/// A schedule may take this many times the instructions of a run without switches: work-items wait.
constexpr std::uint64_t longer = 4;
constexpr std::uint64_t always_allowed = 1'000'000;

/// What a launch without switches takes, and where stopping a work-item may matter.
struct Measure {
    std::uint64_t results = 0;                 ///< their hash
    std::uint64_t allowed = 0;                 ///< instructions
    vm::Pieces contended;                      ///< memory that it changes
    std::vector<vm::SurveyPolicy::Stop> stops; ///< at each access to that
    std::vector<const ir::Instruction*> late_writes;
    std::vector<vm::SurveyPolicy::Gathering> gatherings;
};

Measure measure(Replay& replay) {
    vm::SurveyPolicy policy;
    const vm::Played played = replay.play(policy, most_of_a_run);
    return {replay.hash_of_results(), played.instructions * longer + always_allowed,
            policy.changed_pieces(),  policy.stops(),
            policy.late_writes(),     policy.gatherings()};
}

/// Schedule numbers. Those with the best explanation come first: a work-item gives up waiting for one
/// that is stopped, or one work-item stops once.
constexpr int patient_order = 1;
constexpr int first_stop = 2;
constexpr int most_accesses = 1024;   ///< of a work-item that are tried
constexpr int first_pair = 5'000'000; ///< of work-items that stop
/// The same as patient_order if it is not certain that a work-item gives up waiting.
constexpr int uncertain_order = 20'000'000;
/// Others are always faster than the first work-item.
constexpr int starving_order = 20'000'001;
/// The writes of one instruction are late.
constexpr int first_late = 30'000'000;
/// The same, and one work-item stops, at several drawn places for each instruction.
constexpr int first_late_and_stop = 35'000'000;
constexpr std::size_t stops_for_late_write = 100;
/// Every work-item stops before its second execution of one instruction, or before its first.
constexpr int first_gathering = 40'000'000;
/// Drawn schedules take the most words.
constexpr int first_drawn = 50'000'000;

/// Instructions that the patient schedule may take, first if rounds can be skipped, and then if they
/// cannot. That takes a second, so only the smallest launches are tried.
constexpr std::uint64_t enough_for_standoff = 1'000'000;
constexpr std::uint64_t most_for_standoff = 40'000'000;
constexpr std::size_t very_few_items = 16;
/// Instructions that work-items may take in turns before they count as endless. Launches with few
/// work-items need much less.
constexpr std::uint64_t fair_turns = 4'000'000;
constexpr std::size_t few_items = 64;

/// Plays a schedule. If a small launch does not end, finds out which work-items are stuck.
vm::Played play(Replay& replay, vm::Policy& policy, const Measure& measure,
                Replay::Unwritten unwritten = Replay::Unwritten::guard) {
    return replay.play(policy, measure.allowed, replay.items() <= few_items ? fair_turns : 0,
                       unwritten);
}

vm::Played draw(Replay& replay, std::uint64_t seed, int number, const Measure& measure) {
    vm::DrawnPolicy policy(seed, static_cast<std::size_t>(number - first_drawn), replay.items(),
                           measure.contended, measure.stops.size());
    return play(replay, policy, measure);
}

/// A schedule in which one or two work-items stop once.
struct StopOrder {
    std::vector<vm::SurveyPolicy::Stop> stops;
    /// The groups run in the opposite order, and uninitialized memory holds 0.
    bool last_first = false;
    int number = 0;
};

/// All schedules with one stop.
std::vector<StopOrder> stop_orders(const Measure& measure) {
    std::vector<StopOrder> orders;
    for (const vm::SurveyPolicy::Stop& stop : measure.stops) {
        const auto access = static_cast<int>(stop.access);
        if (access >= most_accesses)
            continue;
        const int place = static_cast<int>(stop.item) * most_accesses + access;
        orders.push_back({{stop}, false, first_stop + 2 * place});
        orders.push_back({{stop}, true, first_stop + 2 * place + 1});
    }
    return orders;
}

/// A schedule drawn from `seed`, with two stops of different work-items.
StopOrder draw_pair(const std::vector<StopOrder>& orders, std::uint64_t seed, int number) {
    std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(number));
    const StopOrder& first = orders[random() % orders.size()];
    const StopOrder& second = orders[random() % orders.size()];
    StopOrder pair{first.stops, first.last_first, number};
    if (second.stops.front().item != first.stops.front().item)
        pair.stops.push_back(second.stops.front());
    return pair;
}

vm::Played play_stops(Replay& replay, const StopOrder& order, const Measure& measure) {
    vm::StopPolicy policy(order.stops, replay.group_size(), order.last_first);
    return play(replay, policy, measure,
                order.last_first ? Replay::Unwritten::zero : Replay::Unwritten::guard);
}

vm::Played play_gathering(Replay& replay, const Measure& measure, std::size_t number) {
    vm::GatherPolicy policy(measure.gatherings[number], replay.group_size());
    return play(replay, policy, measure);
}

/// Plays the schedule with this number in which writes are late and one work-item stops. Returns
/// the line of a write that others see before a late one, too; 0 if there is none.
std::pair<vm::Played, int> play_late_and_stop(Replay& replay, std::uint64_t seed,
                                              const Measure& measure, std::size_t number) {
    std::mt19937_64 random(seed * 1000003 + number);
    vm::LatePolicy policy(*measure.late_writes[number / stops_for_late_write], replay.group_size(),
                          {measure.stops[random() % measure.stops.size()]});
    vm::Played played = play(replay, policy, measure);
    return {std::move(played), policy.overtaking_line()};
}

vm::Played play_starving(Replay& replay, std::uint64_t allowed) {
    vm::StarvingPolicy policy;
    return replay.play(policy, allowed);
}

/// Removes switches, first many at a time and in the end one, as long as `is_it` accepts the
/// results.
template <class IsIt>
vm::Played shorten(Replay& replay, vm::Played played, std::uint64_t allowed, const IsIt& is_it) {
    using Switches = vm::WrittenPolicy::Switches;
    std::uint64_t instructions = 0;
    Switches switches = played.switches;
    for (std::size_t many = (switches.size() + 1) / 2; many > 0; many /= 2) {
        std::size_t kept = 0; // of those tried so far
        while (kept < switches.size() && instructions < most_for_explaining) {
            const auto begin = std::next(switches.begin(), static_cast<std::ptrdiff_t>(kept));
            const std::size_t count = std::min(many, switches.size() - kept);
            Switches fewer(switches.begin(), begin);
            fewer.insert(std::next(begin, static_cast<std::ptrdiff_t>(count)), switches.end());
            vm::WrittenPolicy policy(fewer);
            vm::Played shorter = replay.play(policy, allowed);
            instructions += shorter.instructions;
            if (shorter.ended && is_it(replay.hash_of_results())) {
                switches = std::move(fewer);
                played = std::move(shorter);
            } else {
                kept += count;
            }
        }
    }
    return played;
}

/// "work-item 0 of group 2 runs next when work-item 3 of group 0 waits or has ended; then ..."
std::string describe_turns(const Replay& replay, const vm::WrittenPolicy::Switches& switches) {
    constexpr std::size_t most_described = 4;
    std::string text;
    std::size_t described = 0;
    for (const auto& [place, next] : switches) {
        if (described++ == most_described)
            break;
        text += (text.empty() ? "" : "; and ") + replay.name_of(next) + " runs next when " +
                replay.name_of(place.item) + " waits or has ended";
    }
    return text.empty() ? "work-items run in another schedule" : text;
}

/// "work-item 0 of group 0 is paused before line 57 while work-item 0 of group 1 continues; then ..."
std::string describe(const Replay& replay, const vm::Played& played) {
    constexpr std::size_t most_described = 4;
    std::string text;
    std::size_t described = 0;
    const auto& stretches = played.stretches;
    for (std::size_t i = 0; i + 1 < stretches.size() && described < most_described; ++i) {
        if (stretches[i].stops_before == 0)
            continue;
        text += (described++ == 0 ? "" : "; then ") + replay.name_of(stretches[i].item) +
                " is paused before line " + std::to_string(stretches[i].stops_before) + " while " +
                replay.name_of(stretches[i + 1].item) + " continues";
    }
    return text.empty() ? describe_turns(replay, played.switches) : text;
}

/// "the result is wrong if work-item 0 of group 0 is paused before line 57 while all others continue"
wire::Finding describe_stops(const Replay& replay,
                             const std::vector<vm::SurveyPolicy::Stop>& stops) {
    const int line = stops.front().line;
    const int other = stops.back().line == line ? 0 : stops.back().line;
    wire::Finding finding{FindingKind::wrong_order, replay.kernel(), line, other, ""};
    finding.message = "the result is wrong if ";
    for (const vm::SurveyPolicy::Stop& stop : stops)
        finding.message += replay.name_of(stop.item) + " is paused before line " +
                           std::to_string(stop.line) +
                           (&stop == &stops.back() ? " while " : " and ");
    finding.message += "all others continue";
    return finding;
}

/// `late`: the line whose writes take effect late; `overtaking`: the line of a write that others see
/// before.
wire::Finding describe_late(const Replay& replay, int late, int overtaking) {
    wire::Finding finding{FindingKind::wrong_order, replay.kernel(), late,
                          overtaking == late ? 0 : overtaking, ""};
    finding.message = "the result is wrong when others see what line " + std::to_string(late) +
                      " writes only after what line " + std::to_string(overtaking) +
                      " writes: no mem_fence(CLK_GLOBAL_MEM_FENCE) between them keeps the order, "
                      "and atomic operations alone do not";
    return finding;
}

wire::Finding describe_gathering(const Replay& replay, int line) {
    wire::Finding finding{FindingKind::wrong_order, replay.kernel(), line, 0, ""};
    finding.message = "the result is wrong if every work-item that reaches line " +
                      std::to_string(line) +
                      " is paused before it until no other work-item can continue";
    return finding;
}

wire::Finding describe_starving(const Replay& replay, const vm::Played& played) {
    constexpr std::size_t starving = vm::StarvingPolicy::starving;
    std::map<int, std::size_t> lines; ///< how often it was stopped there
    for (const vm::Played::Stretch& one : played.stretches) {
        if (one.item == starving && one.stops_before != 0)
            ++lines[one.stops_before];
    }
    const auto most = std::ranges::max_element(
        lines, [](const auto& a, const auto& b) { return a.second < b.second; });
    const int line = most == lines.end() ? 0 : most->first;
    wire::Finding finding{FindingKind::wrong_order, replay.kernel(), line, 0, ""};
    finding.message = "the result is wrong when other work-items are always faster than " +
                      replay.name_of(starving) + " at line " + std::to_string(line);
    if (most != lines.end() && most->second > 1)
        finding.message += " (it reaches that line " + std::to_string(most->second) +
                           " times before it continues; does it give up?)";
    return finding;
}

/// The atomic operation at the line where a work-item loops forever; null: there is none.
const ir::Instruction* atomic_of(const vm::Played::Stuck& stuck) {
    for (const ir::Block* block : stuck.next->block->function->blocks) {
        for (const ir::Instruction* one : block->instructions) {
            if (one->line == stuck.line && one->atomic() != ir::Atomic::none)
                return one;
        }
    }
    return nullptr;
}

/// Why the loop with this atomic operation may never end; "" if that is not known.
std::string why_it_loops(const ir::Instruction& atomic) {
    const auto is_constant = [&](std::size_t index) {
        return atomic.operands[index]->value_kind == ir::Value::Kind::constant;
    };
    switch (atomic.atomic()) {
    case ir::Atomic::compare_exchange:
        return is_constant(1) ? ""
                              : ". If another work-item is faster, every retry fails: it must "
                                "compare with the value that the last attempt returned, and "
                                "compute the new one from it";
    case ir::Atomic::add:
    case ir::Atomic::sub:
        return ". Each " + atomic.callee->plain_name +
               " changes the word even when it must be repeated: use atomic_cmpxchg, which "
               "changes nothing if it fails";
    default:
        return "";
    }
}

/// "in some schedules the launch never ends: work-item 0 of group 1 loops at line 40, ..."
wire::Finding describe_hang(const Replay& replay, const vm::Played& played) {
    wire::Finding finding{FindingKind::wrong_order, replay.kernel(), 0, 0, ""};
    finding.message = "the launch never ends in some schedules";
    std::string advice;
    std::set<std::pair<int, int>> places;
    for (const vm::Played::Stuck& one : played.stuck) {
        if (!places.emplace(one.line, one.called_at).second)
            continue;
        finding.message += (places.size() == 1 ? ": " : ", ") + replay.name_of(one.item) +
                           " loops at line " + std::to_string(one.line);
        if (one.called_at != 0)
            finding.message += ", called at line " + std::to_string(one.called_at);
        const ir::Instruction* atomic = finding.line == 0 ? atomic_of(one) : nullptr;
        if (atomic != nullptr)
            advice = why_it_loops(*atomic);
        if (finding.line == 0)
            finding.line = one.line;
        else if (finding.other_line == 0 && one.line != finding.line)
            finding.other_line = one.line;
    }
    finding.message += advice;
    return finding;
}

wire::Finding describe_stray(const Replay& replay, const vm::Launch::Stray& stray) {
    const int line = stray.access->line;
    return {FindingKind::out_of_bounds, replay.kernel(), line, 0,
            "in some schedules, " + replay.name_of(stray.item) +
                (stray.writes ? " writes" : " reads") + " outside its buffer at line " +
                std::to_string(line)};
}

/// The work-item that is stopped while it holds a word, and the one that gave up waiting for it.
struct Standoff {
    std::size_t holder;
    std::size_t waiter;
    const ir::Instruction* waits_at;
    int line = 0; ///< where the holder is stopped; 0: unknown
};

/// Runs the patient schedule up to the last round of the loop in which a work-item only counts. The
/// launch is deterministic, so trying as many rounds as possible does not need to go back.
std::uint64_t rounds_to_skip(Replay& replay) {
    std::uint64_t rounds = 0;
    for (std::uint64_t more = std::uint64_t{1} << 40; more > 0; more /= 2) {
        vm::PatientPolicy probe(replay.group_size(), replay.groups());
        probe.skip(rounds + more, true);
        replay.play(probe, enough_for_standoff);
        if (probe.still_waits())
            rounds += more;
    }
    return rounds;
}

/// What `policy` has shown in a run that has ended; nothing if no work-item gave up.
std::optional<Standoff> standoff_of(const vm::PatientPolicy& policy, const vm::Played& played) {
    if (!policy.holder() || policy.waits_at() == nullptr)
        return std::nullopt;
    Standoff standoff{*policy.holder(), *policy.waiter(), policy.waits_at()};
    for (const vm::Played::Stretch& one : played.stretches) {
        if (standoff.line == 0 && one.item == standoff.holder)
            standoff.line = one.stops_before;
    }
    return standoff;
}

/// Runs the patient schedule. Returns nothing if no work-item gives up.
std::optional<Standoff> play_patiently(Replay& replay) {
    vm::PatientPolicy first(replay.group_size(), replay.groups());
    const vm::Played at_first = replay.play(first, enough_for_standoff);
    if (at_first.ended)
        return standoff_of(first, at_first);
    if (first.only_counts()) {
        vm::PatientPolicy skipping(replay.group_size(), replay.groups());
        skipping.skip(rounds_to_skip(replay), false);
        const vm::Played played = replay.play(skipping, enough_for_standoff);
        if (played.ended)
            return standoff_of(skipping, played);
    }
    // A loop that ends at exactly one number must come to it.
    vm::PatientPolicy patient(replay.group_size(), replay.groups());
    const vm::Played played = replay.play(patient, most_for_standoff);
    return played.ended ? standoff_of(patient, played) : std::nullopt;
}

/// Whether the waiter gave up a loop that ends when it reads something else. Otherwise it may have
/// done other work for long.
bool is_certain(const Standoff& standoff) { return Loops().is_ended_by(standoff.waits_at); }

/// "work-item 0 of group 0 has taken the lock and stops for a long time before line 57: ..."
wire::Finding describe_standoff(const Replay& replay, const Standoff& standoff) {
    const int waits_at = standoff.waits_at->line;
    const bool takes_lock = standoff.waits_at->atomic() != ir::Atomic::none;
    wire::Finding finding{FindingKind::wrong_order, replay.kernel(), standoff.line,
                          waits_at == standoff.line ? 0 : waits_at, ""};
    finding.message = "the result is wrong when " + replay.name_of(standoff.holder) +
                      (takes_lock ? " has taken the lock and" : "") +
                      " stops for a long time before line " + std::to_string(standoff.line) + ": " +
                      replay.name_of(standoff.waiter) + " gives up at line " +
                      std::to_string(waits_at) +
                      " after a number of attempts and continues without " +
                      (takes_lock ? "the lock" : "the value that it waits for");
    return finding;
}

/// Tries schedules, and records those with new results.
class Search {
  public:
    Search(Replay& replay, std::uint64_t seed)
        : replay_(replay), seed_(seed), measured_(measure(replay)) {}

    OtherOrders run() {
        try_standoff();
        try_stops();
        if (!others_.mistake && replay_.items() <= most_drawn_items) {
            try_late();
            if (replay_.items() <= few_items)
                try_late_and_stops();
            try_gatherings();
            try_drawn();
        }
        if (!others_.mistake) {
            note(starving_order, play_starving(replay_, measured_.allowed));
            if (standoff_is_uncertain_ && play_patiently(replay_))
                note(uncertain_order, {});
        }
        return std::move(others_);
    }

  private:
    /// The schedule with this number has just been played.
    void note(int number, const vm::Played& played) {
        if (replay_.stray())
            others_.mistake = describe_stray(replay_, *replay_.stray());
        else if (!played.ended && !played.stuck.empty() && replay_.items() <= few_items)
            others_.mistake = describe_hang(replay_, played);
        else if (played.ended && replay_.differs() &&
                 seen_.insert(replay_.hash_of_results()).second)
            others_.numbers.push_back(number);
    }

    void try_standoff() {
        if (replay_.items() > very_few_items || replay_.groups() == 1)
            return;
        const std::optional<Standoff> standoff = play_patiently(replay_);
        standoff_is_uncertain_ = standoff && !is_certain(*standoff);
        if (standoff && !standoff_is_uncertain_)
            note(patient_order, {});
    }

    void try_stops() {
        const std::vector<StopOrder> orders = stop_orders(measured_);
        std::vector<StopOrder> singles = orders;
        std::shuffle(singles.begin(), singles.end(),
                     std::mt19937_64(seed_)); // there may be too many
        if (replay_.items() > few_items) {
            std::stable_partition(singles.begin(), singles.end(),
                                  [&](const StopOrder& one) { return is_telling(one); });
            prefer_first_store(singles);
            singles.resize(std::min(singles.size(), stops_of_many));
        }
        try_some(singles.size(), most_results_of_stops,
                 [&](std::size_t i) { return try_stops_of(singles[i]); });
        if (replay_.items() <= very_few_items && !orders.empty())
            try_some(most_pairs, most_results_of_stops, [&](std::size_t i) {
                return try_stops_of(draw_pair(orders, seed_, first_pair + static_cast<int>(i)));
            });
    }

    /// Puts the first store or exchange of a work-item in front: if it is under a lock, the work-item
    /// has not yet changed anything that the others may change in the meantime.
    void prefer_first_store(std::vector<StopOrder>& singles) const {
        const auto stores = [&](const StopOrder& one) {
            return is_telling(one) && one.stops.front().overwrites;
        };
        const auto drawn = std::ranges::find_if(singles, stores);
        if (drawn == singles.end())
            return;
        std::swap(*drawn, singles.front());
        for (StopOrder& one : singles) {
            StopOrder& first = singles.front();
            if (stores(one) && one.last_first == first.last_first &&
                one.stops.front().item == first.stops.front().item &&
                one.stops.front().access < first.stops.front().access)
                std::swap(one, first);
        }
    }

    /// Whether many work-items come after the one that stops, which has already changed something.
    bool is_telling(const StopOrder& order) const {
        const vm::SurveyPolicy::Stop& stop = order.stops.front();
        const std::size_t before = order.last_first ? replay_.items() - 1 - stop.item : stop.item;
        return stop.goes_on && before < replay_.items() / 2;
    }

    std::uint64_t try_stops_of(const StopOrder& order) {
        const vm::Played played = play_stops(replay_, order, measured_);
        note(order.number, played);
        return played.instructions;
    }

    void try_late() {
        try_some(measured_.late_writes.size(), most_results, [&](std::size_t i) {
            vm::LatePolicy policy(*measured_.late_writes[i], replay_.group_size());
            const vm::Played played = play(replay_, policy, measured_);
            note(first_late + static_cast<int>(i), played);
            if (policy.overtaking_line() != 0)
                overtaken_.push_back(i);
            return played.instructions;
        });
    }

    void try_late_and_stops() {
        const std::size_t places = measured_.stops.empty() ? 0 : stops_for_late_write;
        try_some(places * overtaken_.size(), most_results, [&](std::size_t i) {
            const std::size_t number =
                overtaken_[i % overtaken_.size()] * stops_for_late_write + i / overtaken_.size();
            const vm::Played played = play_late_and_stop(replay_, seed_, measured_, number).first;
            note(first_late_and_stop + static_cast<int>(number), played);
            return played.instructions;
        });
    }

    void try_gatherings() {
        try_some(measured_.gatherings.size(), most_results, [&](std::size_t i) {
            const vm::Played played = play_gathering(replay_, measured_, i);
            note(first_gathering + static_cast<int>(i), played);
            return played.instructions;
        });
    }

    void try_drawn() {
        try_some(most_orders, most_results, [&](std::size_t i) {
            const int number = first_drawn + static_cast<int>(i);
            const vm::Played played = draw(replay_, seed_, number, measured_);
            note(number, played);
            return played.instructions;
        });
    }

    /// Tries `count` schedules of one kind, fewer if `results` of them have new results or if it
    /// takes too long: `attempt` gets a number from 0 and returns the instructions that it took.
    template <class Attempt>
    void try_some(std::size_t count, std::size_t results, const Attempt& attempt) {
        const std::uint64_t enough =
            replay_.items() <= few_items ? enough_instructions : enough_of_many_items;
        results += others_.numbers.size();
        std::uint64_t instructions = 0;
        for (std::size_t i = 0; i < count && !others_.mistake; ++i) {
            if (others_.numbers.size() >= results || (i >= fewest_orders && instructions >= enough))
                return;
            instructions += attempt(i);
        }
    }

    Replay& replay_;
    std::uint64_t seed_;
    Measure measured_;
    std::set<std::uint64_t> seen_; ///< results, as hashes
    bool standoff_is_uncertain_ = false;
    std::vector<std::size_t> overtaken_; ///< late writes, by their numbers, that others came before
    OtherOrders others_;
};

/// Plays the schedule with this number. One that belongs to another launch of the call is not known.
TriedOrder play_order(Replay& replay, std::uint64_t seed, int number, const Measure& measured) {
    if (number == patient_order || number == uncertain_order) {
        const auto standoff = play_patiently(replay);
        if (standoff)
            return {{}, describe_standoff(replay, *standoff)};
        measure(replay); // the usual schedule
        return {};
    }
    if (number == starving_order) {
        const vm::Played played = play_starving(replay, measured.allowed);
        return {played, describe_starving(replay, played)};
    }
    if (number >= first_drawn)
        return {draw(replay, seed, number, measured), std::nullopt};
    if (number >= first_gathering) {
        const auto gathering = static_cast<std::size_t>(number - first_gathering);
        if (gathering >= measured.gatherings.size())
            return {};
        return {play_gathering(replay, measured, gathering),
                describe_gathering(replay, measured.gatherings[gathering].place->line)};
    }
    if (number >= first_late_and_stop) {
        const auto order = static_cast<std::size_t>(number - first_late_and_stop);
        if (measured.stops.empty() || order >= stops_for_late_write * measured.late_writes.size())
            return {};
        const auto [played, overtaking] = play_late_and_stop(replay, seed, measured, order);
        const ir::Instruction& late = *measured.late_writes[order / stops_for_late_write];
        return {played, describe_late(replay, late.line, overtaking)};
    }
    if (number >= first_late) {
        const auto late = static_cast<std::size_t>(number - first_late);
        if (late >= measured.late_writes.size())
            return {};
        vm::LatePolicy policy(*measured.late_writes[late], replay.group_size());
        const vm::Played played = play(replay, policy, measured);
        return {played,
                describe_late(replay, measured.late_writes[late]->line, policy.overtaking_line())};
    }
    const std::vector<StopOrder> orders = stop_orders(measured);
    const auto known =
        std::ranges::find_if(orders, [&](const StopOrder& one) { return one.number == number; });
    const bool is_pair = number >= first_pair && !orders.empty();
    if (!is_pair && known == orders.end())
        return {};
    const StopOrder order = is_pair ? draw_pair(orders, seed, number) : *known;
    return {play_stops(replay, order, measured), describe_stops(replay, order.stops)};
}

/// Describes a drawn schedule by one with few switches that leads to the same results.
wire::Finding describe_drawn(Replay& replay, const TriedOrder& tried) {
    vm::WrittenPolicy again(tried.played.switches);
    constexpr std::size_t short_enough = 4; // switches
    const Measure usual = measure(replay);
    vm::Played shown = replay.play(again, usual.allowed);
    if (shown.ended && replay.hash_of_results() == tried.results)
        shown = shorten(replay, std::move(shown), usual.allowed,
                        [&](std::uint64_t results) { return results == tried.results; });
    if (shown.switches.size() > short_enough) // any wrong result is as good an explanation
        shown = shorten(replay, std::move(shown), usual.allowed,
                        [&](std::uint64_t results) { return results != usual.results; });
    wire::Finding finding;
    finding.kind = FindingKind::wrong_order;
    finding.kernel = replay.kernel();
    for (const vm::Played::Stretch& one : shown.stretches) {
        int& line = finding.line == 0 ? finding.line : finding.other_line;
        if (one.stops_before != 0 && line == 0 && one.stops_before != finding.line)
            line = one.stops_before;
    }
    finding.message = "the result is wrong when " + describe(replay, shown);
    return finding;
}

} // namespace

OtherOrders find_other_orders(Replay& replay, std::uint64_t seed) {
    const bool is_one_group = replay.groups() == 1;
    if (replay.items() > (is_one_group ? most_items_of_one_group : most_items))
        return {};
    return Search(replay, seed).run();
}

TriedOrder run_order(Replay& replay, std::uint64_t seed, int number) {
    const Measure measured = measure(replay);
    replay.keep_results(); // play() uses them to find words that are never written
    TriedOrder tried = play_order(replay, seed, number, measured);
    tried.results = replay.hash_of_results();
    tried.differs = tried.results != measured.results;
    replay.keep_results();
    return tried;
}

wire::Finding explain_order(Replay& replay, const TriedOrder& tried) {
    return tried.description ? *tried.description : describe_drawn(replay, tried);
}

} // namespace labgrind
