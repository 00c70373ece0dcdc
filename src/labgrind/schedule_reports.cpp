#include "labgrind/schedule_reports.hpp"

#include "labgrind/program/loops.hpp"
#include "labgrind/reports/findings.hpp"
#include "labgrind/reports/names.hpp"
#include "labgrind/reports/reports.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace labgrind {
namespace {

/// "work-item 0 of group 2 continues as soon as work-item 3 of group 0 waits or ends; then ..."
std::string turns_of(const Replay& replay, const vm::Switches& switches) {
    constexpr std::size_t most_described = 2;
    std::string text;
    std::size_t described = 0;
    for (const auto& [place, next] : switches) {
        if (described++ == most_described)
            break;
        text += (text.empty() ? "" : "; then ") + replay.name_of(next) + " continues as soon as " +
                replay.name_of(place.item) + " waits or ends";
    }
    return text.empty() ? "work-items run in another schedule" : text;
}

/// "work-item 0 of group 0 is paused before line 57 while work-item 0 of group 1 continues; then ..."
std::string switches_of(const Replay& replay, const vm::Interleaving& run) {
    constexpr std::size_t most_described = 4;
    std::string text;
    std::size_t described = 0;
    const auto& stretches = run.stretches;
    for (std::size_t i = 0; i + 1 < stretches.size() && described < most_described; ++i) {
        if (stretches[i].stops_before == 0)
            continue;
        text += (described++ == 0 ? "" : "; then ") + replay.name_of(stretches[i].item) +
                " is paused before line " + std::to_string(stretches[i].stops_before) + " while " +
                replay.name_of(stretches[i + 1].item) + " continues";
    }
    return text.empty() ? turns_of(replay, run.switches) : text;
}

/// The atomic operations in the loop in which a work-item is stuck, or else at its line.
std::vector<const ir::Instruction*> atomics_of(const vm::Interleaving::Stuck& stuck, Loops& loops) {
    const auto heads = loops.heads_around(stuck.next);
    const auto is_beside = [&](const ir::Instruction* one) {
        const auto around = loops.heads_around(one);
        return heads.empty() ? one->line == stuck.line
                             : std::ranges::find(around, heads.front()) != around.end();
    };
    std::vector<const ir::Instruction*> atomics;
    for (const ir::Instruction* one : stuck.next->block->function->instructions()) {
        if (one->atomic() != ir::Atomic::none && is_beside(one))
            atomics.push_back(one);
    }
    return atomics;
}

/// Why the loop with these atomic operations may never end; "" if that is not known.
std::string why_it_loops(const std::vector<const ir::Instruction*>& atomics) {
    if (atomics.size() != 1) // one can take back what another one changes
        return "";
    const ir::Instruction& atomic = *atomics.front();
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
        if (atomic.operands.size() > 1 && is_zero(*atomic.operands[1])) // a read
            return "";
        return ". Each " + atomic.callee->plain_name +
               " changes the word even when it must be repeated: use atomic_cmpxchg, which "
               "changes nothing if it fails";
    default:
        return "";
    }
}

/// Says which variables a loop waits for without reading anything again; "" if it reads something.
std::string unchanged_condition(const ir::Instruction& in_loop, Loops& loops) {
    const std::optional<Loops::Condition> condition = loops.condition_around(&in_loop);
    if (!condition || !condition->is_fixed)
        return "";
    std::string names;
    for (const ir::Instruction* read : condition->reads)
        names += (names.empty() ? "" : " and ") + source_name(read->operands[0]);
    return "; the condition of that loop depends only on " + names +
           ", which the loop does not change: read the memory again in each iteration";
}

/// Whether work-items wait for each other in a circle: each for a word that the next one has taken.
bool is_deadlock(const std::vector<vm::Interleaving::Stuck>& stuck) {
    std::map<std::size_t, std::size_t> waits;
    for (const vm::Interleaving::Stuck& one : stuck) {
        if (one.waits_for && *one.waits_for != one.item)
            waits.emplace(one.item, *one.waits_for);
    }
    return std::ranges::any_of(waits, [&](const auto& first) {
        auto next = waits.find(first.second);
        for (std::size_t i = 0; i < waits.size() && next != waits.end(); ++i) {
            if (next->second == first.first)
                return true;
            next = waits.find(next->second);
        }
        return false;
    });
}

/// Adds which word the first work-item that is stuck waits for, and who has changed it.
void add_word_waited_for(wire::Finding& finding, const Replay& replay,
                         const std::vector<vm::Interleaving::Stuck>& stuck,
                         const LastChanges& changes) {
    const auto read = changes.last_read_of(stuck.front().item);
    if (!read)
        return;
    const auto to_value = [](const LastChanges::Change& one) {
        return " to " + std::to_string(static_cast<std::int32_t>(one.value)) + " at line " +
               std::to_string(one.line);
    };
    const auto& [address, by_another, by_itself] = *read;
    std::string changed = "no work-item has changed";
    if (by_itself)
        changed = "it has itself changed" + to_value(*by_itself) +
                  (by_another ? ", after " + replay.name_of(by_another->item) + " changed it" +
                                    to_value(*by_another)
                              : "");
    else if (by_another)
        changed = replay.name_of(by_another->item) + " has changed" + to_value(*by_another);
    finding.message += std::string(". ") + (stuck.size() == 1 ? "It" : "The first one") +
                       " waits for " + replay.name_of_word(address) + ", which " + changed;
    const std::optional<LastChanges::Change>& shown = by_another ? by_another : by_itself;
    if (shown && finding.other_line == 0 && shown->line != finding.line)
        finding.other_line = shown->line;
    if (by_itself && by_another)
        finding.more_lines.push_back(by_itself->line);
}

/// ", called at line 26"; "" for 0.
std::string called_at(int line) {
    return line == 0 ? "" : ", called at line " + std::to_string(line);
}

/// `other_line` can be the same line.
wire::Finding wrong_order(const Replay& replay, int line, int other_line = 0,
                          const std::string& message = {}) {
    return {FindingKind::wrong_order, replay.kernel(), line, other_line == line ? 0 : other_line,
            message};
}

} // namespace

/// "the result is wrong if work-item 0 of group 0 is paused before line 57 while all others continue ..."
wire::Finding describe_stops(const Replay& replay, const std::vector<vm::SurveyPolicy::Stop>& stops,
                             const vm::StopPolicy& policy) {
    std::string message = "the result is wrong if ";
    std::vector<int> calls; // 0: none
    for (const vm::SurveyPolicy::Stop& stop : stops) {
        message += replay.name_of(stop.item) + " is paused before line " +
                   std::to_string(stop.line) +
                   (stop.called_at == 0 ? "" : called_at(stop.called_at) + ",") +
                   (&stop == &stops.back() ? " while " : " and ");
        calls.push_back(stop.called_at);
    }
    message += "all others continue";
    int other_line = stops.back().line;
    if (const auto& meanwhile = policy.meanwhile(); meanwhile && stops.size() == 1) {
        message += ". Meanwhile, " + replay.name_of(meanwhile->item) +
                   " accesses the same element at " + list_lines(meanwhile->lines) +
                   called_at(meanwhile->called_at);
        other_line = meanwhile->lines.front();
        calls.push_back(meanwhile->called_at);
    }
    if (other_line == stops.front().line)
        other_line = stops.front().called_at;
    int line = stops.front().line;
    if (stops.size() == 2 && !stops.front().changes && stops.back().changes)
        std::swap(line, other_line); // the other side is what reads too early
    wire::Finding finding = wrong_order(replay, line, other_line, message);
    finding.more_lines = std::move(calls);
    finding.may_be_elsewhere = true;
    return finding;
}

wire::Finding describe_turns(const Replay& replay) {
    return wrong_order(replay, 0, 0,
                       "the result is wrong if the groups take turns at their barriers: each waits "
                       "there until all others have reached theirs");
}

wire::Finding describe_opposite(const Replay& replay, int resetting_line) {
    wire::Finding finding = wrong_order(replay, resetting_line);
    if (resetting_line != 0) {
        finding.cause = "line " + std::to_string(resetting_line) +
                        " overwrites what other groups may already have written: any group can run "
                        "first, so the host must set the initial values before the launch";
        finding.message = finding.cause + "; ";
    }
    finding.message += "the result is wrong if the groups run in the opposite order, from the last "
                       "one to the first";
    return finding;
}

wire::Finding describe_stale(const Replay& replay, const Replay::UnwrittenElement& element,
                             const vm::SurveyPolicy::Stop& stop) {
    return wrong_order(
        replay, stop.line, 0,
        "argument " + std::to_string(element.argument) + " of " + replay.kernel() +
            " is uninitialized from byte " + std::to_string(element.offset) +
            " on: the result is wrong if values from an earlier launch are left there and " +
            replay.name_of(stop.item) + " is paused before line " + std::to_string(stop.line) +
            " while all others continue; the host must initialize all of it");
}

namespace {

/// What happens in a schedule that is described.
std::string effect_of(const vm::Interleaving& run) {
    return run.ended ? "the result is wrong" : "the launch never ends";
}

} // namespace

wire::Finding describe_late(const Replay& replay, const vm::Interleaving& run, int late,
                            const vm::LatePolicy& policy) {
    const std::string write = "the write at line " + std::to_string(late);
    const int overtaking = policy.overtaking_line();
    const std::string alone = "; atomic operations alone do not keep their order";
    if (const auto& overwritten = policy.overwritten()) {
        wire::Finding finding =
            wrong_order(replay, late, overwritten->line,
                        effect_of(run) + " if " + write +
                            " takes effect after the write of another work-item of the group to "
                            "the same element, at line " +
                            std::to_string(overwritten->line) + called_at(overwritten->called_at) +
                            ": a barrier between the two needs CLK_GLOBAL_MEM_FENCE" + alone);
        finding.more_lines = {overwritten->called_at};
        return finding;
    }
    const bool is_known = overtaking != 0 && overtaking != late; // a fence goes between lines
    return wrong_order(replay, late, overtaking,
                       effect_of(run) +
                           (is_known ? " if other work-items see the write at line " +
                                           std::to_string(overtaking) + " before " + write +
                                           ": put a mem_fence(CLK_GLOBAL_MEM_FENCE) between "
                                           "the two"
                                     : " if " + write +
                                           " takes effect late: put a mem_fence or a barrier with "
                                           "CLK_GLOBAL_MEM_FENCE after it") +
                           alone);
}

wire::Finding describe_early(const Replay& replay, const vm::Interleaving& run, int early,
                             int overtaken) {
    const bool is_known = overtaken != 0 && overtaken != early; // a fence goes between lines
    return wrong_order(replay, early, overtaken,
                       effect_of(run) + " if the read at line " + std::to_string(early) +
                           (is_known ? " takes effect before the access at line " +
                                           std::to_string(overtaken) +
                                           ": put a mem_fence(CLK_GLOBAL_MEM_FENCE) between the two"
                                     : " returns an old value: put a mem_fence or a barrier with "
                                       "CLK_GLOBAL_MEM_FENCE before it") +
                           "; atomic operations alone do not keep their order");
}

wire::Finding describe_gathering(const Replay& replay, int line) {
    return wrong_order(replay, line, 0,
                       "the result is wrong if every work-item that reaches line " +
                           std::to_string(line) +
                           " is paused before it until no other work-item can continue");
}

wire::Finding describe_starving(const Replay& replay, const vm::Interleaving& run) {
    constexpr std::size_t starving = vm::StarvingPolicy::starving;
    std::map<int, std::size_t> lines; ///< how often it was stopped there
    for (const vm::Interleaving::Stretch& one : run.stretches) {
        if (one.item == starving && one.stops_before != 0)
            ++lines[one.stops_before];
    }
    const auto most = std::ranges::max_element(
        lines, [](const auto& a, const auto& b) { return a.second < b.second; });
    const int line = most == lines.end() ? 0 : most->first;
    std::string message = "the result is wrong when other work-items are always faster than " +
                          replay.name_of(starving) + " at line " + std::to_string(line);
    if (most != lines.end() && most->second > 1)
        message += " (it reaches that line " + std::to_string(most->second) +
                   " times before it continues; does it give up?)";
    return wrong_order(replay, line, 0, message);
}

wire::Finding describe_switches(const Replay& replay, const vm::Interleaving& run) {
    wire::Finding finding =
        wrong_order(replay, 0, 0, "the result is wrong when " + switches_of(replay, run));
    for (const vm::Interleaving::Stretch& one : run.stretches) {
        int& line = finding.line == 0 ? finding.line : finding.other_line;
        if (one.stops_before != 0 && line == 0 && one.stops_before != finding.line)
            line = one.stops_before;
    }
    return finding;
}

void add_lines_only_there(wire::Finding& finding, const std::vector<int>& lines) {
    constexpr std::size_t most_listed = 3;
    if (lines.empty())
        return;
    finding.explanation +=
        "; " +
        (lines.size() <= most_listed ? list_lines(lines)
                                     : "some of the lines " + std::to_string(lines.front()) +
                                           " to " + std::to_string(lines.back())) +
        (lines.size() == 1 ? " runs" : " run") + " only in such a schedule";
    if (finding.other_line == 0)
        finding.other_line = lines.front();
    const std::size_t shown = lines.size() <= most_listed ? lines.size() : 1;
    finding.more_lines.insert(finding.more_lines.end(), lines.begin(),
                              std::next(lines.begin(), static_cast<std::ptrdiff_t>(shown)));
}

void add_not_retried(wire::Finding& finding, const Replay& replay,
                     const std::optional<FailedSwaps::Failed>& failed) {
    if (!failed)
        return;
    finding.may_be_elsewhere = false;
    finding.explanation += "; there, the compare-and-swap of " + replay.name_of(failed->item) +
                           " at line " + std::to_string(failed->line) + " fails and is not retried";
    if (finding.line == 0)
        finding.line = failed->line;
    else if (failed->line != finding.line)
        finding.other_line = failed->line;
}

/// "in some schedules the launch never ends: work-item 0 of group 1 loops at line 40, ..."
wire::Finding describe_hang(const Replay& replay, const vm::Interleaving& run,
                            const LastChanges& changes) {
    wire::Finding finding = wrong_order(replay, 0, 0, "the launch never ends in some schedules");
    Loops loops;
    std::string advice;
    std::set<std::pair<int, int>> places;
    for (const vm::Interleaving::Stuck& one : run.stuck) {
        const std::vector<const ir::Instruction*> atomics = atomics_of(one, loops);
        const int line = atomics.empty() ? one.line : atomics.front()->line;
        if (!places.emplace(line, one.called_at).second)
            continue;
        finding.message += (places.size() == 1 ? ": " : ", ") + replay.name_of(one.item) +
                           " loops at line " + std::to_string(line);
        finding.message += called_at(one.called_at);
        if (finding.line == 0) {
            advice = why_it_loops(atomics) + unchanged_condition(*one.next, loops);
            finding.line = line;
        } else if (finding.other_line == 0 && line != finding.line) {
            finding.other_line = line;
        }
    }
    if (is_deadlock(run.stuck))
        advice = ". Each waits for a lock that another one holds: all work-items must take the "
                 "locks in the same order";
    finding.message += advice;
    if (advice.empty())
        add_word_waited_for(finding, replay, run.stuck, changes);
    return finding;
}

wire::Finding describe_stray(const Replay& replay, const vm::Launch::Stray& stray) {
    const int line = stray.access->line;
    const ir::Value* pointer = stray.access->shared_pointer;
    const bool is_global = pointer != nullptr && pointer->type->space == ir::global_space &&
                           ir::buffer_of(stray.address) != 0;
    const auto index =
        static_cast<std::int64_t>(ir::offset_of(stray.address) / sizeof(std::uint32_t));
    return {FindingKind::out_of_bounds, replay.kernel(), line, 0,
            "in some schedules, " + replay.name_of(stray.item) +
                (stray.writes ? " writes " : " reads ") +
                (is_global ? replay.name_of_word(stray.address) + " " : "") +
                "outside its buffer at line " + std::to_string(line) +
                (is_global ? explain_wrapped_index(index) : "")};
}

/// "work-item 0 of group 0 has taken the lock and stops for a long time before line 57: ..."
wire::Finding describe_standoff(const Replay& replay, const Standoff& standoff) {
    const int waits_at = standoff.waits_at->line;
    wire::Finding finding = wrong_order(
        replay, standoff.line, waits_at,
        "the result is wrong when " + replay.name_of(standoff.holder) +
            (standoff.is_over_lock ? " has taken the lock and" : "") +
            " stops for a long time before line " + std::to_string(standoff.line) + ": " +
            replay.name_of(standoff.waiter) + " gives up at line " + std::to_string(waits_at) +
            " after a number of attempts and continues without " +
            (standoff.is_over_lock ? "the lock" : "the value that it waits for"));
    if (standoff.is_over_lock)
        finding.cause = finding.message;
    return finding;
}

} // namespace labgrind
