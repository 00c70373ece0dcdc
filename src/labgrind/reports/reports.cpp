#include "labgrind/reports/reports.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

namespace labgrind {

namespace {

/// The branch at which two paths (see Item) part for the last time; nothing if they do not. Where an
/// `if` without a barrier parts them, they meet again at the next branch that both come to.
std::optional<std::uint32_t> last_parting(const std::vector<std::uint32_t>& a,
                                          const std::vector<std::uint32_t>& b) {
    constexpr std::ptrdiff_t most_branches = 64; // until they meet again
    std::optional<std::uint32_t> last;
    auto [i, j] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    while (i != a.end() && j != b.end()) {
        last = *i / 2;
        const auto end = j + std::min(b.end() - j, most_branches);
        const auto meets = [&, from = j + 1](std::uint32_t step) {
            return std::find_if(from, end,
                                [&](std::uint32_t other) { return other / 2 == step / 2; });
        };
        const auto met = std::find_if(i + 1, i + std::min(a.end() - i, most_branches),
                                      [&](std::uint32_t step) { return meets(step) != end; });
        if (met == i + std::min(a.end() - i, most_branches))
            break;
        std::tie(i, j) = std::mismatch(met, a.end(), meets(*met), b.end());
    }
    return last;
}

/// Whether `value` is computed from what an atomic operation has returned.
bool comes_from_atomic(const ir::Value* value) {
    bool found = false;
    visit_sources(value, [&](const ir::Value& source) {
        const ir::Instruction* one = ir::as_instruction(&source);
        found = found || (one != nullptr && one->atomic() != ir::Atomic::none);
        return !found;
    });
    return found;
}

/// Whether work-items can come to `branch` without `store`: the first time, or again if it is in a loop
/// that the branch decides about.
bool is_optional(const ir::Instruction& store, const ir::Instruction& branch) {
    const ir::Block& entry = *branch.block->function->blocks.front();
    if (store.block == &entry)
        return false;
    const ir::Instruction* first = entry.instructions.front();
    const bool comes_before =
        branch.block != &entry &&
        reaches(first, &store, {.repeats = true, .barriers = true, .avoided = branch.block});
    return reaches(comes_before ? first : &branch, &branch,
                   {.repeats = true, .barriers = true, .avoided = store.block});
}

/// "; line 9 gives each work-item its own ticket, ...": which variable in the condition of `branch`
/// holds what an atomic operation has returned; "" for none.
std::string explain_own_results(const ir::Instruction& branch) {
    for (const ir::Instruction* variable : private_variables_behind(branch.operands[0])) {
        for (const ir::Instruction* store : stores_to(*variable)) {
            if (!comes_from_atomic(store->operands[0]))
                continue;
            const std::string line = "; line " + std::to_string(store->line);
            if (is_optional(*store, branch))
                return line + " changes only that of the work-items that execute it: pass the "
                              "result to the others through local memory";
            return line + " gives each work-item its own " + source_name(variable) +
                   ", because every work-item executes the atomic operation: let only one execute "
                   "it, and pass the result to the others through local memory";
        }
    }
    return "";
}

} // namespace

std::string explain_unsigned_comparison(const ir::Instruction* access) {
    const ir::Instruction* found = nullptr;
    for (const ir::Instruction* one : access->block->function->instructions()) {
        const bool has_one_result =
            one->opcode == ir::Opcode::icmp && is_zero(*one->operands[1]) &&
            (one->predicate == ir::Predicate::uge || one->predicate == ir::Predicate::ult);
        if (has_one_result && line_of(one) <= line_of(access))
            found = one;
    }
    if (found == nullptr)
        return "";
    return "; the condition at line " + std::to_string(line_of(found)) + " is always " +
           (found->predicate == ir::Predicate::uge ? "true" : "false") +
           ", because an unsigned number is never below 0";
}

Reports::Reports(const Names& names, const Instructions& instructions, Loops& loops,
                 const Locks& locks, const Swaps& swaps, const Group& group, std::string kernel,
                 bool has_atomics)
    : names_(names), instructions_(instructions), loops_(loops), locks_(locks), swaps_(swaps),
      group_(group), kernel_(std::move(kernel)), has_atomics_(has_atomics) {}

/// "line 9 changes i only where the condition at line 7 holds, ...": why `value`, an index or a
/// condition, differs between work-items although a loop changes it; "" if that is not known.
std::string Reports::explain_skipped_step(const ir::Value* value) const {
    for (const ir::Instruction* variable : private_variables_behind(value)) {
        if (const auto step = loops_.skipped_step(*variable))
            return "line " + std::to_string(line_of(step->store)) + " changes " +
                   source_name(variable) + " only where the condition at line " +
                   std::to_string(line_of(step->branch)) + " holds, so the work-items of a group " +
                   "get different values of it";
    }
    return "";
}

wire::Finding Reports::finding(FindingKind kind, int line, int other_line,
                               const std::string& message) const {
    return {kind, kernel_, line, other_line, message};
}

wire::Finding Reports::effect(FindingKind kind, int line, int other_line, const std::string& cause,
                              const std::string& what) const {
    wire::Finding found = finding(kind, line, other_line, cause + ": " + what);
    found.cause = cause;
    return found;
}

void Reports::add(FindingKind kind, int line, int other_line, const std::string& message) {
    findings_.add(finding(kind, line, other_line, message));
}

void Reports::add_endless(wire::Finding finding) {
    finding.is_endless = true;
    findings_.add(finding);
}

/// Removes races that the barrier at which `here` waits would prevent if `away` reached it. Those over what
/// decides which work-items reach it remain: they are the reason.
void Reports::remove_races_around(const std::vector<std::uint32_t>& here,
                                  const std::vector<std::uint32_t>& away,
                                  const std::set<int>& deciding_lines) {
    const auto is_among = [&](std::uint32_t item, const std::vector<std::uint32_t>& some) {
        return std::ranges::find(some, item - group_.first_item) != some.end();
    };
    for (const auto& [lines, one] : races_without_barrier_) {
        if (is_among(one.earlier, here) && is_among(one.later, away) &&
            !deciding_lines.contains(lines.first) && !deciding_lines.contains(lines.second))
            findings_.remove(one.race);
    }
}

void Reports::add_divergence(const std::vector<std::uint32_t>& here,
                             const std::vector<std::uint32_t>& away) {
    const Item& first = group_.items[here.front()];
    const Item& missing = group_.items[away.front()];
    const int line = line_of(first.waits_at);
    const std::optional<std::uint32_t> branch = last_parting(first.path, missing.path);
    const int parted = branch ? line_of_site(*branch) : 0;
    std::string text = "the barrier" + at_line(line) + " is reached by " + names_.items(here) +
                       " of " + names_.group(group_.index) + ", but not by " + names_.items(away);
    if (missing.finished)
        text += away.size() == 1 ? ", which has left the kernel" : ", which have left the kernel";
    else
        text += std::string(away.size() == 1 ? ", which waits" : ", which wait") +
                " at the barrier" + at_line(line_of(missing.waits_at)) +
                (missing.waits_at != first.waits_at       ? ""
                 : missing.waits_from != first.waits_from ? ", called from elsewhere"
                                                          : " in another iteration of the loop");
    if (parted != 0)
        text += "; they diverge at line " + std::to_string(parted);
    const ir::Instruction* flag = branch ? flag_of(instructions_.at_site(*branch)) : nullptr;
    const auto stores_id = [](const ir::Instruction* store) {
        return asks_for_item(*store->operands[0]);
    };
    if (flag != nullptr && std::ranges::none_of(stores_to(*flag), stores_id))
        text += ": " + source_name(flag) + " is a private variable, so each work-item has its own";
    const ir::Instruction* decision = branch ? instructions_.at_site(*branch) : nullptr;
    if (decision != nullptr)
        text += explain_own_results(*decision);
    const std::string cause =
        decision == nullptr ? "" : explain_skipped_step(decision->operands[0]);
    // Of two barriers, report the one on the path that not all work-items take.
    const int other = missing.waits_at == nullptr ? 0 : line_of(missing.waits_at);
    const bool elsewhere = other >= parted && (line < parted || other < line);
    const int reported = parted != 0 && other != 0 && elsewhere ? other : line;
    findings_.add(cause.empty()
                      ? finding(FindingKind::divergent_barrier, reported, parted, text)
                      : effect(FindingKind::divergent_barrier, reported, parted, cause, text));
    const std::set<int> deciding_lines =
        decision == nullptr ? std::set<int>() : lines_of_shared_loads_behind(decision->operands[0]);
    if (decision != nullptr)
        findings_.note_divergence(deciding_lines);
    remove_races_around(here, away, deciding_lines);
    for (const Item& item : group_.items) {
        const std::uint32_t held = locks_.held_by(item.number);
        if (held != 0 && item.waits_at != nullptr) {
            const Hold& hold = locks_.hold(held);
            add(FindingKind::barrier_in_lock, line_of(item.waits_at), line_of_site(hold.lock_site),
                names_.item(item.number) + " waits at the barrier" +
                    at_line(line_of(item.waits_at)) + " while it holds the lock that it took" +
                    at_line(line_of_site(hold.lock_site)));
        }
    }
}

/// How often a distance must double to reach `size`.
int steps_of_tree(std::size_t size) {
    int steps = 0;
    while ((std::size_t{1} << steps) < size)
        ++steps;
    return steps;
}

void Reports::add_endless_meetings(const std::string& state) {
    const ir::Instruction* barrier = group_.items.front().waits_at;
    const int line = barrier == nullptr ? 0 : line_of(barrier);
    const auto steps = steps_of_tree(group_.items.size());
    add_endless(finding(FindingKind::endless_loop, line, 0,
                        names_.group(group_.index) +
                            " does not end, or takes very long: it has reached " +
                            std::to_string(group_.barriers.size()) + " barriers, the last one" +
                            at_line(line) + (state.empty() ? "" : "; " + state) +
                            ". In a group of " + std::to_string(group_.items.size()) +
                            ", a loop that halves or doubles a distance ends after " +
                            std::to_string(steps) + (steps == 1 ? " iteration" : " iterations") +
                            (barrier == nullptr ? "" : explain_unsigned_comparison(barrier))));
}

void Reports::add_unawaited(const ir::Instruction& copy) {
    const int line = line_of(&copy);
    add(FindingKind::data_race, line, 0,
        "the asynchronous copy" + at_line(line) +
            " is never waited for, so its elements may arrive at any time: all work-items of the "
            "group must call wait_group_events(1, &event) before they use them");
}

void Reports::add_endless(const Item& item, const ir::Instruction* instruction,
                          const RunOptions& options, const LoopReason& reason) {
    const Contention& contention = options.contention;
    std::uint32_t number = locks_.obstacle(item.number);
    const std::uint64_t word = number == 0 ? 0 : locks_.hold(number).word;
    if (contention.concerns(word) && !contention.is_lock(word))
        number = 0; // a sum that was 0 looks like a lock that is taken
    if (number == 0) {
        const int line =
            item.patience.first_line() != 0 ? item.patience.first_line() : line_of(instruction);
        const std::string place = item.patience.first_line() == item.patience.last_line()
                                      ? at_line(line)
                                      : " in lines " + std::to_string(item.patience.first_line()) +
                                            " to " + std::to_string(item.patience.last_line());
        if (!options.last_group_first && !options.last_item_first) {
            wire::Finding loop =
                finding(FindingKind::endless_loop, line, item.patience.last_line(),
                        names_.item(item.number) + " is still in a loop after " +
                            std::to_string(item.patience.budget()) + " instructions," + place +
                            (reason.text.empty() ? "" : ": " + reason.text) +
                            explain_unsigned_comparison(instruction));
            loop.explanation = reason.question;
            if (reason.other_line != 0)
                loop.other_line = reason.other_line;
            loop.cause = reason.is_mistake ? reason.text : "";
            return add_endless(loop);
        }
        wire::Finding wait = finding(
            FindingKind::unpromised_wait, line, item.patience.last_line(),
            names_.item(item.number) + " waits" + place +
                (options.last_group_first
                     ? for_later_group
                     : " for another work-item of its group, which may not run until this one "
                       "reaches a barrier: between barriers, work-items run in any order"));
        wait.between_groups = options.last_group_first;
        findings_.add(wait);
        return;
    }
    const Hold& hold = locks_.hold(number);
    const int line = line_of_site(hold.lock_site);
    if (hold.item == item.number) {
        return add_endless(finding(FindingKind::never_unlocked, line, 0,
                                   names_.item(item.number) +
                                       " waits forever for a lock that it took itself" +
                                       at_line(line) + " and has not released"));
    }
    const std::string waits = names_.item(item.number) + " waits forever for the lock that " +
                              names_.item(hold.item) + " took" + at_line(line);
    const std::uint32_t first = group_.first_item;
    const bool alive = hold.item >= first && hold.item < first + group_.items.size() &&
                       !group_.items[hold.item - first].finished;
    if (alive && group_.items[hold.item - first].waits_at != nullptr)
        add_endless(finding(FindingKind::barrier_in_lock,
                            line_of(group_.items[hold.item - first].waits_at), line,
                            waits + "; that work-item waits at the barrier" +
                                at_line(line_of(group_.items[hold.item - first].waits_at)) +
                                " for the rest of its group"));
    else
        add_endless(finding(FindingKind::never_unlocked, line, line_of_wrong_release(hold),
                            waits + never_released(hold)));
}

/// On which way such a work-item ended; "" if that says nothing.
std::string Reports::way_out(const Hold& hold) const {
    return !hold.way_out ? ""
                         : ": after the branch" + at_line(line_of_site(*hold.way_out)) + ", " +
                               names_.item(hold.item) + " ends without releasing it";
}

/// The compare-and-swap that should release a lock and has never stored; nothing if there is none.
std::optional<Swap> Reports::failed_release(const Hold& hold) const {
    for (const Swap& swap : swaps_.failed()) {
        if (swap.item == hold.item && swap.address == hold.word && swap.site != hold.lock_site)
            return swap;
    }
    return std::nullopt;
}

/// The line that does not release a lock although it should, or after which a work-item cannot; 0:
/// none.
int Reports::line_of_wrong_release(const Hold& hold) const {
    const std::optional<Swap> failed = failed_release(hold);
    const std::uint32_t site = failed ? failed->site : hold.wrong_release_site;
    if (site != 0)
        return line_of_site(site);
    return hold.way_out ? line_of_site(*hold.way_out) : 0;
}

/// How a lock is not released: " and never releases it", or by which other value.
std::string Reports::never_released(const Hold& hold) const {
    if (const std::optional<Swap> failed = failed_release(hold))
        return " and never released: " + never_stored(*failed);
    if (hold.wrong_release_site == 0)
        return " and never released" + way_out(hold);
    const auto value = static_cast<std::int32_t>(hold.wrong_value);
    return "; line " + std::to_string(line_of_site(hold.wrong_release_site)) + " then stores " +
           std::to_string(value) + " in the lock, but only 0 means free";
}

void Reports::add_locks() {
    for (const Hold& hold : locks_.holds()) {
        if (!locks_.is_lock(hold.word))
            continue;
        const int taken_at = line_of_site(hold.lock_site);
        if (hold.plain_release) {
            const int released_at = line_of_site(hold.release_site);
            add(FindingKind::plain_unlock, released_at, taken_at,
                "the lock is released" + at_line(released_at) +
                    " by an ordinary store, which is a data race with the atomic operations of "
                    "other work-items; use atomic_xchg");
        } else if (!hold.released && !findings_.has(FindingKind::barrier_in_lock) &&
                   !findings_.has(FindingKind::endless_loop)) {
            add_endless(finding(FindingKind::never_unlocked,
                                taken_at, // for the next one that wants it
                                line_of_wrong_release(hold),
                                names_.item(hold.item) + " takes the lock" + at_line(taken_at) +
                                    " and never releases it" + way_out(hold)));
        }
    }
    for (const Locks::Stray& stray : locks_.strays()) {
        if (!stray.holder && findings_.has(FindingKind::out_of_bounds))
            continue; // it may have taken the lock there
        add(FindingKind::unlock_not_held, line_of_site(stray.site),
            stray.holder ? line_of_site(locks_.hold(*stray.holder).lock_site) : 0,
            names_.item(stray.item) + " releases the lock" + at_line(line_of_site(stray.site)) +
                (stray.holder
                     ? ", but " + names_.item(locks_.hold(*stray.holder).item) + " holds it"
                     : ", but no work-item holds it"));
    }
    for (const Locks::WithoutLock& one : locks_.without_lock()) {
        const int line = line_of_site(one.site);
        const bool unwritten = is_unwritten(one.value, sizeof(std::uint32_t));
        add(FindingKind::lock_not_free, line, 0,
            "the lock word " +
                (unwritten ? "is uninitialized" : "starts at " + std::to_string(one.value)) +
                " and is never set to 0: " + names_.item(one.item) + " does not get the lock" +
                at_line(line) + " and continues anyway");
    }
    if (const auto pair = locks_.lock_step_hang()) {
        const Hold& a = locks_.hold(pair->first);
        const Hold& b = locks_.hold(pair->second);
        add(FindingKind::lock_step_hang, line_of_site(a.lock_site), line_of_site(a.release_site),
            names_.item(a.item) + " and " + names_.item(b.item) + " wait for the same lock" +
                at_line(line_of_site(a.lock_site)) +
                ": if they run in lockstep, the work-item that holds the lock cannot reach line " +
                std::to_string(line_of_site(a.release_site)) +
                " until the other one leaves the loop, so both wait forever; let only one "
                "work-item per group take the lock, or release it inside the loop");
    }
}

void Reports::add_hang(const Waits& waits) {
    const auto& hang = waits.hang();
    if (!hang || findings_.has(FindingKind::lock_step_hang))
        return;
    const int wait = line_of_site(hang->wait_site);
    const int store = line_of_site(hang->store_site);
    add(FindingKind::lock_step_hang, wait, store,
        names_.item(hang->second) + " waits" + at_line(wait) + " for the value that " +
            names_.item(hang->first) + " stores" + at_line(store) + ": if they run in lockstep, " +
            names_.item(hang->first) + " cannot reach line " + std::to_string(store) +
            " until the other one leaves the loop, so both wait forever; let only one work-item "
            "per group wait, or move the code after the loop into the loop");
}

} // namespace labgrind
