#include "labgrind/orders.hpp"

#include "labgrind/findings.hpp"

#include <algorithm>
#include <set>

namespace labgrind {
namespace {

/// Instructions that all orders of a launch may take together: some tenths of a second.
constexpr std::uint64_t enough_instructions = 500'000;
/// And those that may be taken to find the shortest story of one.
constexpr std::uint64_t most_for_explaining = 10'000'000;
constexpr std::size_t most_orders = 400;
constexpr std::size_t fewest_orders = 2;
/// Of a larger launch even two orders take long, and show what those of smaller ones show.
constexpr std::size_t most_items = 1024;
/// No more different results than these are reported.
constexpr std::size_t most_results = 8;
/// An order may take so many times what the launch takes without switches: work-items wait.
constexpr std::uint64_t longer = 4;
constexpr std::uint64_t always_allowed = 1'000'000;

/// What a launch takes where nobody is interrupted.
struct Measure {
    std::uint64_t results = 0; ///< their hash
    std::uint64_t accesses = 0;
    std::uint64_t allowed = 0; ///< instructions
};

Measure measure(Rehearsal& rehearsal) {
    const vm::WrittenPolicy::Switches none;
    vm::WrittenPolicy policy(none);
    const vm::Played played = rehearsal.play(policy, enough_instructions);
    return {rehearsal.hash_of_results(), played.accesses,
            played.instructions * longer + always_allowed};
}

/// The number of the order in which the holder of a word is stopped until others have given up.
constexpr int patient_order = static_cast<int>(most_orders) + 1;
/// What that may take: a million tries and more, where somebody counts them. It takes a second, so
/// only the smallest launches are tried.
constexpr std::uint64_t most_for_standoff = 40'000'000;
constexpr std::size_t very_few_items = 16;
/// What work-items may take in turns before it is said that they never end, of launches of so few
/// that this is many times what they need.
constexpr std::uint64_t most_in_turns = 4'000'000;
constexpr std::size_t few_items = 64;

vm::Played draw(Rehearsal& rehearsal, std::uint64_t seed, int number, const Measure& measure) {
    vm::DrawnPolicy policy(seed, static_cast<std::size_t>(number), rehearsal.items(),
                           measure.accesses);
    return rehearsal.play(policy, measure.allowed,
                          rehearsal.items() <= few_items ? most_in_turns : 0);
}

/// Leaves out switches, first many at a time and in the end one, as long as `is_it` the results that it
/// is about.
template <class IsIt> vm::Played shorten(Rehearsal& rehearsal, vm::Played played,
                                         std::uint64_t allowed, const IsIt& is_it) {
    using Switches = vm::WrittenPolicy::Switches;
    std::uint64_t instructions = 0;
    Switches switches = played.switches;
    for (std::size_t many = (switches.size() + 1) / 2; many > 0; many /= 2) {
        std::size_t kept = 0; // of those that have been looked at
        while (kept < switches.size() && instructions < most_for_explaining) {
            const auto begin = std::next(switches.begin(), static_cast<std::ptrdiff_t>(kept));
            const std::size_t count = std::min(many, switches.size() - kept);
            Switches fewer(switches.begin(), begin);
            fewer.insert(std::next(begin, static_cast<std::ptrdiff_t>(count)), switches.end());
            vm::WrittenPolicy policy(fewer);
            vm::Played shorter = rehearsal.play(policy, allowed);
            instructions += shorter.instructions;
            if (shorter.ended && is_it(rehearsal.hash_of_results())) {
                switches = std::move(fewer);
                played = std::move(shorter);
            } else {
                kept += count;
            }
        }
    }
    return played;
}

std::string name_of(const Rehearsal& rehearsal, std::size_t item) {
    return "work-item " + std::to_string(item % rehearsal.group_size()) + " of group " +
           std::to_string(item / rehearsal.group_size());
}

/// "work-item 0 of group 0 stops before line 57 and work-item 0 of group 1 goes on; then ..."
std::string describe(const Rehearsal& rehearsal, const vm::Played& played) {
    constexpr std::size_t most_described = 4;
    std::string text;
    std::size_t described = 0;
    const auto& stretches = played.stretches;
    for (std::size_t i = 0; i + 1 < stretches.size() && described < most_described; ++i) {
        if (stretches[i].stops_before == 0)
            continue;
        text += (described++ == 0 ? "" : "; then ") + name_of(rehearsal, stretches[i].item) +
                " stops before line " + std::to_string(stretches[i].stops_before) + " and " +
                name_of(rehearsal, stretches[i + 1].item) + " goes on";
    }
    return text.empty() ? "work-items take turns in another order" : text;
}

/// "the launch never ends: work-item 0 of group 1 goes round at line 40, ..."
wire::Finding describe_hang(const Rehearsal& rehearsal, const vm::Played& played) {
    wire::Finding finding{kind::wrong_order, rehearsal.kernel(), 0, 0, "", 1};
    finding.message = "when work-items take turns, the launch may never end";
    std::set<int> lines;
    for (const vm::Played::Stretch& one : played.stuck) {
        if (!lines.insert(one.stops_before).second)
            continue;
        finding.message += (lines.size() == 1 ? ": " : ", ") + name_of(rehearsal, one.item) +
                           " goes round at line " + std::to_string(one.stops_before);
        if (lines.size() == 1)
            finding.line = one.stops_before;
        else if (lines.size() == 2)
            finding.other_line = one.stops_before;
    }
    return finding;
}

/// Runs the patient order; nobody gives up in one that does not end.
Standoff play_patiently(Rehearsal& rehearsal) {
    vm::PatientPolicy policy(rehearsal.group_size(), rehearsal.groups());
    const vm::Played played = rehearsal.play(policy, most_for_standoff);
    if (!played.ended)
        return {};
    Standoff standoff{policy.holder(), policy.waiter()};
    for (const vm::Played::Stretch& one : played.stretches) {
        if (standoff.line == 0 && one.item == standoff.holder)
            standoff.line = one.stops_before;
    }
    return standoff;
}

wire::Finding describe_standoff(const Rehearsal& rehearsal, const Standoff& standoff) {
    wire::Finding finding{kind::wrong_order, rehearsal.kernel(), standoff.line, 0, "", 1};
    finding.message = "the result is wrong when " + name_of(rehearsal, *standoff.holder) +
                      " has taken the lock and stops for long before line " +
                      std::to_string(standoff.line) + ": " + name_of(rehearsal, *standoff.waiter) +
                      " counts its tries, and goes on without the lock in the end";
    return finding;
}

} // namespace

OtherOrders find_other_orders(Rehearsal& rehearsal, std::uint64_t seed) {
    OtherOrders others;
    if (rehearsal.items() > most_items)
        return others;
    const Measure measured = measure(rehearsal);
    std::set<std::uint64_t> seen;
    std::uint64_t instructions = 0;
    for (std::size_t i = 0; i < most_orders && others.numbers.size() < most_results &&
                            (i < fewest_orders || instructions < enough_instructions);
         ++i) {
        const int number = static_cast<int>(i) + 1;
        const vm::Played played = draw(rehearsal, seed, number, measured);
        instructions += played.instructions;
        if (!played.ended && !played.stuck.empty() && rehearsal.items() <= few_items) {
            others.hang = describe_hang(rehearsal, played);
            return others;
        }
        if (played.ended && rehearsal.differs() && seen.insert(rehearsal.hash_of_results()).second)
            others.numbers.push_back(number);
    }
    if (rehearsal.items() <= very_few_items && rehearsal.groups() > 1 &&
        play_patiently(rehearsal).waiter && rehearsal.differs() &&
        seen.insert(rehearsal.hash_of_results()).second)
        others.numbers.push_back(patient_order);
    return others;
}

DrawnOrder run_drawn_order(Rehearsal& rehearsal, std::uint64_t seed, int number) {
    DrawnOrder drawn;
    if (number == patient_order)
        drawn.standoff = play_patiently(rehearsal);
    else
        drawn.played = draw(rehearsal, seed, number, measure(rehearsal));
    drawn.results = rehearsal.hash_of_results();
    rehearsal.keep_results();
    return drawn;
}

wire::Finding explain_order(Rehearsal& rehearsal, const DrawnOrder& drawn) {
    if (drawn.standoff.holder && drawn.standoff.waiter)
        return describe_standoff(rehearsal, drawn.standoff);
    vm::WrittenPolicy again(drawn.played.switches);
    constexpr std::size_t short_enough = 4; // switches
    const Measure usual = measure(rehearsal);
    vm::Played shown = rehearsal.play(again, usual.allowed);
    if (shown.ended && rehearsal.hash_of_results() == drawn.results)
        shown = shorten(rehearsal, std::move(shown), usual.allowed,
                        [&](std::uint64_t results) { return results == drawn.results; });
    if (shown.switches.size() > short_enough) // other results than the usual ones explain as much
        shown = shorten(rehearsal, std::move(shown), usual.allowed,
                        [&](std::uint64_t results) { return results != usual.results; });
    wire::Finding finding;
    finding.kind = kind::wrong_order;
    finding.kernel = rehearsal.kernel();
    for (const vm::Played::Stretch& one : shown.stretches) {
        int& line = finding.line == 0 ? finding.line : finding.other_line;
        if (one.stops_before != 0 && line == 0 && one.stops_before != finding.line)
            line = one.stops_before;
    }
    finding.message = "the result is wrong when " + describe(rehearsal, shown);
    return finding;
}

} // namespace labgrind
