#include "labgrind/reports/reports.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>
#include <utility>

namespace labgrind {
namespace {

const char* verb(const Access& access) {
    if (access.atomic)
        return "updates";
    return access.write ? "writes" : "reads";
}

/// A value of `swap`: words are ints in most kernels, and 64 bits are those of a double.
std::string show(std::uint64_t bits, const Swap& swap) {
    if (swap.size == sizeof(std::uint32_t))
        return std::to_string(static_cast<std::int32_t>(bits));
    std::ostringstream text;
    text << "0x" << std::hex << bits;
    return text.str();
}

std::string when(const Access& access, int line) {
    return is_copy(access) ? " before the wait at line " + std::to_string(line) + " ends"
                           : at_line(line);
}

} // namespace

bool Reports::add_fences(const Access& earlier, const Access& now, bool local) {
    if (earlier.hold == 0 || now.hold == 0 || earlier.hold == now.hold)
        return false;
    const Hold& first = locks_.hold(earlier.hold);
    const Hold& second = locks_.hold(now.hold);
    if (first.word != second.word || !locks_.is_lock(first.word) || !first.released)
        return false;
    if (first.plain_release)
        return true; // reported at the end
    const Space space = local ? local_space : global_space;
    const std::string fence =
        std::string("no mem_fence(") + (local ? "CLK_LOCAL" : "CLK_GLOBAL") + "_MEM_FENCE) ";
    if (!first.release_fenced[space]) {
        const int release = line_of_site(first.release_site);
        const bool is_by_other = first.released_by != first.item;
        findings_.add(effect(
            FindingKind::missing_fence, release, line_of_site(earlier.site),
            is_by_other ? "the lock is released" + at_line(release) +
                              " by a different work-item than the one that took it"
                        : fence + "comes before the lock is released" + at_line(release),
            "what " + names_.item(earlier.epoch.item) + " " + verb(earlier) +
                at_line(line_of_site(earlier.site)) +
                " under the lock may take effect only after the next work-item has taken the lock" +
                (is_by_other ? std::string("; a barrier between the two work-items needs ") +
                                   (local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE")
                             : "")));
    }
    if (!second.lock_fenced[space]) {
        const int taken = line_of_site(second.lock_site);
        findings_.add(effect(FindingKind::missing_fence, taken, line_of_site(now.site),
                             fence + "comes after the lock is taken" + at_line(taken) +
                                 (!local && second.lock_fenced[local_space]
                                      ? " (CLK_LOCAL_MEM_FENCE orders only local memory)"
                                      : ""),
                             "what " + names_.item(now.epoch.item) + " " + verb(now) +
                                 at_line(line_of_site(now.site)) +
                                 " under the lock may take effect before the lock is taken"));
    }
    return !first.release_fenced[space] || !second.lock_fenced[space];
}

std::string Reports::accessor(const Access& access) const {
    return is_copy(access) ? "the asynchronous copy of " + names_.group(access.epoch.group)
                           : names_.item(access.epoch.item);
}

std::string Reports::accessor_of_group(const Access& access) const {
    return is_copy(access) ? "the asynchronous copy"
                           : names_.item_of_group(access.epoch.item - group_.first_item);
}

/// Work-items of a group seldom share an element of global memory on purpose.
constexpr const char* is_index_wrong =
    "; check the array and the indices: should both use this element of global memory? If so, ";

namespace {

/// Whether the condition of `branch` is that of a loop, before each iteration.
bool begins_iteration(const ir::Instruction& branch) {
    return std::ranges::any_of(branch.block->function->blocks, [&](const ir::Block* block) {
        const auto& next = block->successors();
        return block->loop_begin_line != 0 &&
               std::find(next.begin(), next.end(), branch.block) != next.end();
    });
}

} // namespace

/// The last branch that led to an access; null if there is none.
const ir::Instruction* Reports::last_branch(const Access& access) const {
    const auto& path = group_.items[access.epoch.item - group_.first_item].path;
    return path.empty() ? nullptr : instructions_.at_site(path.back() / 2);
}

/// " or the condition at line 9": that of the last branch, which can be wrong, too.
std::string Reports::or_condition(const Access& now) const {
    const ir::Instruction* branch = last_branch(now);
    const int condition = branch == nullptr || begins_iteration(*branch) ? 0 : line_of(branch);
    const bool is_elsewhere = condition != 0 && condition != line_of_site(now.site);
    return is_elsewhere ? " or the condition at line " + std::to_string(condition) : "";
}

/// They seldom use an element of local memory at the same line in the same iteration, or both write
/// it.
std::string Reports::wrong_index_in_step(const Access& now) const {
    const ir::Instruction* branch = last_branch(now);
    const bool lacks_condition = branch != nullptr && begins_iteration(*branch);
    return "an index" + or_condition(now) + " is wrong" +
           (lacks_condition ? ", or a condition such as if (lid < ...) is missing" : "");
}

/// Why the indices of two accesses, or the condition of one, differ; see explain_skipped_step().
std::string Reports::step_that_differs(const Access& earlier, const Access& now) const {
    std::string text;
    for (const Access* access : {&now, &earlier}) {
        const ir::Instruction* pointer = instructions_.at_site(access->site);
        if (text.empty() && !is_copy(*access))
            text = explain_skipped_step(pointer_operand(pointer, access->write));
    }
    const ir::Instruction* branch = is_copy(now) ? nullptr : last_branch(now);
    return text.empty() && branch != nullptr ? explain_skipped_step(branch->operands[0]) : text;
}

/// Whether both work-items execute an assignment such as x[i] += 1 with the same element, in the same
/// iteration: no barrier can come between the read and the write.
bool Reports::both_update(const Access& earlier, const Access& now) const {
    return earlier.round == now.round && earlier.write != now.write && !is_copy(earlier) &&
           !is_copy(now) && is_of_one_assignment(earlier, now);
}

bool Reports::is_of_one_assignment(const Access& earlier, const Access& now) const {
    // All accesses to a scalar have the same pointer.
    return line_of_site(earlier.site) == line_of_site(now.site) &&
           instructions_.at_site(earlier.site)->shared_pointer ==
               instructions_.at_site(now.site)->shared_pointer;
}

std::string Reports::only_one_should_store(const Access& now) const {
    return "; only one work-item of a group should write it, as with if (get_local_id(0) == 0), or "
           "the index" +
           or_condition(now) + " is wrong";
}

constexpr const char* exchange_overwrites =
    "; the exchange overwrites what others have stored since the read: use a compare-and-swap in a "
    "loop, or a lock";

namespace {

/// Whether an atomic operation is an attempt to take a lock: it replaces one constant by another, or stores
/// one and returns what was there.
bool is_attempt(const ir::Instruction& atomic) {
    const auto is_constant = [](const ir::Value* value) {
        return ir::as_constant(value) != nullptr;
    };
    return atomic.atomic() == ir::Atomic::compare_exchange && is_constant(atomic.operands[1]) &&
           is_constant(atomic.operands[2]);
}

constexpr const char* swap_checks_another_value = "; the compare-and-swap checks the value that it "
                                                  "expects, but not what this load reads: compute "
                                                  "the new value from the expected one";

} // namespace

/// What to do about a plain access that races with an atomic operation of another group.
std::string Reports::advice_beside_atomic(const Access& plain, const Access& atomic) const {
    const int read = line_of_site(plain.site);
    const int changed = line_of_site(atomic.site);
    const Instruction::Atomic& operation = instructions_.atomic_of_site(atomic.site);
    const bool is_in_two_steps =
        !plain.write && !plain.decides && !plain.polls && !operation.compares;
    const std::string between =
        ", even between line " + std::to_string(read) + " and line " + std::to_string(changed);
    if (is_in_two_steps && !operation.exchanges && read < changed)
        return between + ": the atomic operation returns the old value, so use that value instead "
                         "of reading it again";
    if (is_in_two_steps && plain.after_atomic)
        return "";
    if (is_in_two_steps && !operation.exchanges && read > changed && !operation.uses_result)
        return "; the read can also see what other groups add later: use the old value, which the "
               "atomic operation returns, instead of reading it again";
    if (is_in_two_steps && atomic.resets && read <= changed)
        return (read == changed ? "" : between) + exchange_overwrites;
    if (instructions_.stores_constant(plain.site))
        return ", so no group can set the first value for the others: let the host set it before "
               "the launch";
    if (plain.write && is_attempt(*instructions_.at_site(atomic.site)))
        return "; line " + std::to_string(changed) + " uses it as a lock, but line " +
               std::to_string(read) + " stores data there: is it the word of the lock?";
    if (plain.decides)
        return "; line " + std::to_string(line_of_site(plain.site)) +
               " reads it again and again, so the read must be volatile or atomic: otherwise, the "
               "compiler may keep the first value";
    return !plain.write && operation.compares ? swap_checks_another_value
                                              : "; both accesses must be atomic";
}

/// What to do if work-items wait by `read` for a plain `store`.
std::string Reports::advice_for_wait(const Access& read, const Access& store) const {
    const std::string waiting = "; waiting" + at_line(line_of_site(read.site));
    const std::string storing = " storing" + at_line(line_of_site(store.site));
    if (instructions_.stores_constant(store.site))
        return waiting + " and" + storing +
               " are two steps, and another work-item can come between them: use one atomic "
               "operation, such as atomic_cmpxchg";
    return "; if line " + std::to_string(line_of_site(read.site)) +
           " waits for this value, store it with an atomic operation, such as atomic_xchg; if it "
           "waits for another word, both work-items need a mem_fence(CLK_GLOBAL_MEM_FENCE) between "
           "their accesses to the two words";
}

/// "; line 64 is protected by the lock, but line 60 is not"; "" if that is not so.
std::string Reports::unprotected_side(const Access& earlier, const Access& now) const {
    const auto is_beside = [&](const Access& locked, const Access& other) {
        return locked.hold != 0 && locks_.is_lock(locks_.hold(locked.hold).word) && other.hold == 0;
    };
    const bool now_is_locked = is_beside(now, earlier);
    if (!now_is_locked && !is_beside(earlier, now))
        return "";
    const int locked = line_of_site(now_is_locked ? now.site : earlier.site);
    const std::uint32_t unlocked = now_is_locked ? earlier.site : now.site;
    const int other = line_of_site(unlocked);
    if (locked == other)
        return "";
    return "; line " + std::to_string(locked) + " is protected by the lock, but line " +
           std::to_string(other) + " is not" +
           (instructions_.stores_constant(unlocked)
                ? ". If line " + std::to_string(other) +
                      " sets the first value, let the host set it before the launch"
                : "");
}

/// "; both come after the lock is released at line 18, so it protects neither of them", or before it is taken;
/// "" if that is not so.
std::string Reports::outside_lock(const Access& earlier, const Access& now) const {
    const Hold* first = locks_.last_release_by(earlier.epoch.item);
    const Hold* second = locks_.last_release_by(now.epoch.item);
    if (earlier.hold != 0 || now.hold != 0 || first == nullptr || !locks_.is_lock(first->word))
        return "";
    const std::string so = ", so it protects neither of them";
    const bool is_same_line = line_of_site(earlier.site) == line_of_site(now.site);
    if (second == nullptr && is_same_line)
        return "; both come before the lock is taken" + at_line(line_of_site(first->lock_site)) +
               so;
    if (second == nullptr || first->word != second->word)
        return "";
    return "; both come after the lock is released" + at_line(line_of_site(second->release_site)) +
           so;
}

/// "; there must be a barrier between line 70 and the release of the lock at line 72", if another work-item
/// of the group has taken the lock for all of them; "" otherwise.
std::string Reports::beside_release(const Access& access) const {
    const auto protects = [&](const Hold& hold) {
        return hold.released && hold.group == access.epoch.group &&
               hold.item != access.epoch.item && hold.phase < access.barriers &&
               hold.release_phase == access.barriers &&
               (hold.spin_loop != 0 || locks_.is_lock(hold.word));
    };
    const auto hold = std::ranges::find_if(locks_.holds(), protects);
    return access.hold != 0 || hold == locks_.holds().end()
               ? ""
               : "; there must be a barrier(CLK_GLOBAL_MEM_FENCE) between line " +
                     std::to_string(line_of_site(access.site)) + " and the release of the lock" +
                     at_line(line_of_site(hold->release_site)) +
                     ": it protects the accesses of all work-items of its group";
}

/// Whether a constant is stored to the only element that both accesses use: that takes a lock.
bool Reports::takes_lock(const Access& earlier, const Access& now) const {
    const Access& store = earlier.write ? earlier : now;
    return instructions_.stores_constant(store.site) &&
           std::ranges::all_of(std::array{&earlier, &now}, [&](const Access* one) {
               const ir::Instruction* access = instructions_.at_site(one->site);
               return access->is_volatile &&
                      inputs_of_indices(pointer_operand(access, one->write)).empty();
           });
}

/// "; line 11 reads it and line 14 writes it in two steps, ..." if that is how work-items change an element;
/// "" otherwise.
std::string Reports::in_two_steps(const Access& earlier, const Access& now) const {
    const Access& read = earlier.write ? now : earlier;
    const Access& store = earlier.write ? earlier : now;
    const int reads_at = line_of_site(read.site);
    const int stores_at = line_of_site(store.site);
    const bool is_one_line = reads_at == stores_at;
    if (!has_atomics_ || earlier.write == now.write || read.polls ||
        !(is_one_line || takes_lock(earlier, now)))
        return "";
    return "; line " + std::to_string(reads_at) + " reads it and " +
           (is_one_line ? "" : "line " + std::to_string(stores_at) + " ") +
           "writes it in two steps, and another work-item can come between them: use one atomic "
           "operation" +
           (takes_lock(earlier, now) ? "" : ", or do both under a lock");
}

/// Why two groups race: a lock that does not protect both accesses, an atomic operation beside a plain
/// access, or an update in two steps; "" if it is none of these.
std::string Reports::reason_between_groups(const Access& earlier, const Access& now) const {
    std::string unprotected = beside_release(earlier);
    if (unprotected.empty())
        unprotected = unprotected_side(earlier, now) + outside_lock(earlier, now);
    if (!unprotected.empty() || (now.lacks_fence && !takes_lock(earlier, now)))
        return unprotected;
    if (earlier.atomic != now.atomic)
        return earlier.atomic ? advice_beside_atomic(now, earlier)
                              : advice_beside_atomic(earlier, now);
    const bool has_two_locks = earlier.hold != 0 && now.hold != 0 &&
                               locks_.hold(earlier.hold).word != locks_.hold(now.hold).word;
    return earlier.atomic || has_two_locks ? "" : in_two_steps(earlier, now);
}

constexpr const char* in_any_order = "; groups run at the same time and in any order";

/// What follows after the two accesses of groups that race; `reason`: see reason_between_groups().
std::string Reports::between_groups(const Access& earlier, const Access& now,
                                    const std::string& reason) const {
    const int first = line_of_site(earlier.site);
    const int second = line_of_site(now.site);
    std::string text = in_any_order;
    if (!reason.empty())
        text += reason;
    else if (now.lacks_fence)
        return text + "; line " + std::to_string(second) +
               " needs a mem_fence(CLK_GLOBAL_MEM_FENCE) before it: the atomic or volatile read "
               "that checks whether the value is ready does not order the accesses after it";
    else if (earlier.atomic && now.atomic)
        text += "; an exchange whose result is not used throws away what others have stored";
    else if (earlier.hold != 0 && now.hold != 0 &&
             locks_.hold(earlier.hold).word != locks_.hold(now.hold).word)
        text += "; both hold a lock, but not the same one";
    const Access& read = earlier.write ? now : earlier;
    const Access& store = earlier.write ? earlier : now;
    if (!read.write && !store.atomic && read.polls)
        text += advice_for_wait(read, store);
    if (has_atomics_)
        return text;
    // Without atomic operations, groups share nothing.
    constexpr std::uint32_t values_of_ushort = 65536;
    const std::uint32_t distance =
        std::max(earlier.epoch.item, now.epoch.item) - std::min(earlier.epoch.item, now.epoch.item);
    if (!is_copy(earlier) && !is_copy(now) && distance % values_of_ushort == 0)
        return text + ". Their global ids differ by " + std::to_string(distance) +
               ", and a ushort has only 65536 values: is the index stored in a ushort?";
    const auto local_id = [&](const Access& access) {
        return access.epoch.item % static_cast<std::uint32_t>(group_.items.size());
    };
    if (!is_copy(earlier) && !is_copy(now) && local_id(earlier) == local_id(now))
        return text + ". Check the indices: the work-item with local id " +
               std::to_string(local_id(now)) + " uses this element in both groups";
    if (earlier.write != now.write && text == in_any_order)
        text += ", so no group can read what another one writes in the same launch";
    if ((earlier.write && now.write) || first == second)
        text += ". Check the indices: should both groups use this element?";
    return text;
}

void Reports::explain_overlap(const wire::Finding& race, const std::string& name,
                              std::size_t length, std::size_t distance) {
    const auto count = [](std::size_t elements) {
        return std::to_string(elements) + (elements == 1 ? " element" : " elements");
    };
    findings_.explain(race, in_any_order + (". Each group uses " + count(length) + " of " + name) +
                                ", but the next group begins only " + count(distance) +
                                " later: a group's first index must be its number times " +
                                std::to_string(length));
}

/// Why the swaps before a race between groups protect nothing; "" if that is not known.
std::string Reports::explain_swaps(const Access& earlier, const Access& now) {
    if (has_named_swap_)
        return "";
    for (const Access* access : {&earlier, &now}) {
        const std::optional<Swap> unchanging = swaps_.unchanging(access->epoch.item);
        if (!unchanging)
            continue;
        has_named_swap_ = true;
        const std::string place = at_line(line_of_site(unchanging->site));
        if (!unchanging->compares)
            return "; the exchange" + place +
                   " stores 0, which means free, so it does not take the lock";
        return "; " + names_.item(access->epoch.item) + " changes nothing" + place +
               ": it compares with " + show(unchanging->expected, *unchanging) +
               " and stores the same value";
    }
    for (const Access* access : {&earlier, &now}) {
        const std::optional<Swap> refused = swaps_.refused(access->epoch.item);
        if (!refused)
            continue;
        has_named_swap_ = true;
        return "; " + names_.item(access->epoch.item) + " finds the lock taken" +
               at_line(line_of_site(refused->site)) + ", where it gets " +
               show(refused->found, *refused) + ", and continues without it";
    }
    if (const std::optional<Swap> unchecked = swaps_.unchecked(earlier.epoch.item)) {
        has_named_swap_ = true;
        return "; the atomic operation" + at_line(line_of_site(unchecked->site)) +
               " takes the lock even if another work-item holds it: repeat it until it returns 0";
    }
    const std::vector<Swap> failed = swaps_.failed();
    if (failed.empty())
        return "";
    has_named_swap_ = true;
    return "; " + never_stored(failed.front());
}

std::string Reports::never_stored(const Swap& swap) const {
    return "the compare-and-swap" + at_line(line_of_site(swap.site)) +
           " has never stored: it expects " + show(swap.expected, swap) + ", but " +
           names_.at(names_.global_memory(), swap.address, swap.size, group_,
                     group_.items.front()) +
           " was " + show(swap.found, swap) +
           " (its arguments are the address, the expected value and the new value)";
}

void Reports::add_failed_swaps() {
    for (const Swap& swap : swaps_.failed()) {
        if (instructions_.atomic_of_site(swap.site).compared_with_new)
            add(FindingKind::no_retry, line_of_site(swap.site), 0, never_stored(swap));
    }
}

namespace {

/// Whether control can go from the beginning of its function to `to` without a barrier.
bool is_reached_first(const ir::Instruction* to) {
    const ir::Instruction* first = to->block->function->blocks.front()->instructions.front();
    return first == to || reaches(first, to, {});
}

std::string between(const ir::Instruction* from, const ir::Instruction* to) {
    const auto name = [](const ir::Instruction* one) {
        return one->opcode == ir::Opcode::store ? "the write" : "the read";
    };
    return from->line == to->line
               ? std::string("between ") + name(from) + at_line(from->line) + " and " + name(to)
               : "between line " + std::to_string(from->line) + " and line " +
                     std::to_string(to->line);
}

} // namespace

/// "between them": where a barrier is missing. There may be one between the lines, if one work-item has
/// begun the next iteration of a loop around both, or the next call of their function.
std::string Reports::place_of_barrier(const Access& earlier, const Access& now) const {
    if (is_copy(earlier) || is_copy(now))
        return "between them";
    const ir::Instruction* a = instructions_.at_site(earlier.site);
    const ir::Instruction* b = instructions_.at_site(now.site);
    const bool is_same_step = earlier.round == now.round && are_alternatives(earlier, now);
    if (a == b || is_same_step || a->block->function != b->block->function)
        return "between them";
    const bool is_a_ahead = earlier.round == now.round + 1;
    const bool is_next_round = is_a_ahead || now.round == earlier.round + 1;
    const bool is_in_one_round = reaches(a, b, {}) || reaches(b, a, {});
    const ir::Instruction* behind = is_a_ahead ? b : a;
    const ir::Instruction* ahead = is_a_ahead ? a : b;
    if (!is_next_round && behind->line < ahead->line)
        std::swap(behind, ahead);
    if (is_in_one_round && !(is_next_round && ahead->line <= behind->line))
        return "between them";
    for (const auto& [from, to] : {std::pair{behind, ahead}, {ahead, behind}}) {
        if (reaches(from, to, {.repeats = true})) // or behind the loop
            return between(from, to) + (reaches(to, from, {.repeats = true, .barriers = true})
                                            ? " in the next iteration"
                                            : "");
    }
    for (const auto& [from, to] : {std::pair{behind, ahead}, {ahead, behind}}) {
        if (!from->block->function->is_kernel && reaches(from, nullptr, {.repeats = true}) &&
            is_reached_first(to))
            return between(from, to) + " in the next call of " + from->block->function->plain_name;
    }
    return "between them";
}

/// Whether a work-item makes only one of the two accesses in an iteration, as in an if and its else.
bool Reports::are_alternatives(const Access& a, const Access& b) const {
    if (is_copy(a) || is_copy(b))
        return false;
    const ir::Instruction* first = instructions_.at_site(a.site);
    const ir::Instruction* second = instructions_.at_site(b.site);
    return first->block != second->block && first->block->function == second->block->function &&
           !reaches(first, second, {.barriers = true}) &&
           !reaches(second, first, {.barriers = true});
}

/// Whether both are in one branch of an if. No barrier can come between them there, because some work-items
/// may not take that branch.
bool Reports::are_in_one_branch(const Access& a, const Access& b) const {
    if (is_copy(a) || is_copy(b) ||
        instructions_.at_site(a.site)->block != instructions_.at_site(b.site)->block)
        return false;
    const ir::Instruction* const branch = last_branch(b);
    return branch != nullptr && !begins_iteration(*branch);
}

/// A race although a barrier comes between the accesses; `earlier_access` and `access` describe them.
wire::Finding Reports::race_across(const PassedBarrier& barrier, const Access& earlier,
                                   const Access& now, const std::string& earlier_access,
                                   const std::string& access, bool local) const {
    const int first = line_of_site(earlier.site);
    const int second = line_of_site(now.site);
    const std::string cause = "the barrier" + at_line(barrier.line) + " does not order " +
                              (local ? "local" : "global") + " memory";
    // A work-item that reads what another one has written means to use that element.
    const bool is_passed_on = earlier.write && !now.write;
    if (!local && !has_atomics_ && !is_passed_on) {
        wire::Finding race =
            finding(FindingKind::data_race, second, first,
                    earlier_access + " and " + access + is_index_wrong + "the barrier" +
                        at_line(barrier.line) + " needs CLK_GLOBAL_MEM_FENCE");
        race.within_group = true;
        race.cause = cause;
        return race;
    }
    return effect(FindingKind::barrier_flag, barrier.line, second, cause,
                  earlier_access + " and after the barrier " + access + "; the barrier needs " +
                      (local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE"));
}

namespace {

/// The pointer variable of a function that an access goes through, if it is no parameter and set only once;
/// null otherwise.
const ir::Instruction* pointer_variable(const ir::Instruction& access) {
    const ir::Value* pointer = access.shared_pointer;
    while (const auto* step = ir::as(pointer, ir::Opcode::step))
        pointer = step->operands[0];
    const ir::Instruction* load = ir::as(pointer, ir::Opcode::load);
    const auto* variable =
        load == nullptr ? nullptr : ir::as(load->operands[0], ir::Opcode::allocate);
    if (variable == nullptr)
        return nullptr;
    const auto stores = stores_to(*variable);
    return stores.size() == 1 && ir::as_instruction(stores.front()->operands[0]) != nullptr
               ? variable
               : nullptr;
}

} // namespace

/// ", or sums and rest must not overlap", if the accesses go through two pointers of the function.
std::string Reports::or_overlap(const Access& earlier, const Access& now) const {
    if (is_copy(earlier) || is_copy(now))
        return "";
    const ir::Instruction* one = pointer_variable(*instructions_.at_site(earlier.site));
    const ir::Instruction* other = pointer_variable(*instructions_.at_site(now.site));
    if (one == nullptr || other == nullptr || one == other ||
        one->block->function != other->block->function)
        return "";
    return ", or the arrays " + source_name(one) + " and " + source_name(other) +
           " must not overlap";
}

/// What to do about a race between two work-items of a group. `is_shared_store`: at one line, all
/// store the same element.
Reports::Advice Reports::advice_within_group(const Access& earlier, const Access& now,
                                             bool is_shared_store, bool local) const {
    const bool is_same_line = line_of_site(earlier.site) == line_of_site(now.site);
    if (earlier.atomic != now.atomic) {
        const Access& atomic = now.atomic ? now : earlier;
        const Instruction::Atomic& operation = instructions_.atomic_of_site(atomic.site);
        const bool is_read = !(now.atomic ? earlier : now).write;
        return {is_same_line && operation.exchanges ? exchange_overwrites
                : is_read && operation.compares
                    ? swap_checks_another_value
                    : "; both accesses must be atomic, or there must be a barrier between them"};
    }
    constexpr std::uint32_t values_of_uchar = 256;
    if (now.epoch.item == earlier.epoch.item + values_of_uchar && is_same_line)
        return {"; their local ids differ by 256, and a uchar has only 256 values: is the index or "
                "the local id stored in a uchar?",
                true};
    if (is_shared_store)
        return {only_one_should_store(now)};
    if (both_update(earlier, now))
        return {"; both change it, and no barrier can come between the read and the write of this "
                "line: let only one work-item change it, or use an atomic operation"};
    const bool is_one_branch = are_in_one_branch(earlier, now);
    const bool is_one_step = (earlier.round == now.round &&
                              (is_same_line || is_one_branch || are_alternatives(earlier, now))) ||
                             (earlier.write && now.write && !is_copy(earlier) && !is_copy(now));
    const Access& read = now.write ? earlier : now;
    const Access& write = now.write ? now : earlier;
    const bool reads_first =
        is_same_line || (is_one_branch && line_of_site(read.site) < line_of_site(write.site));
    if (is_one_step && local && reads_first && earlier.write != now.write &&
        !is_of_one_assignment(earlier, now))
        return {"; should both use this element in the same step? If so, read it into a private "
                "variable, wait at a barrier, and then write. If not, " +
                    wrong_index_in_step(now),
                true};
    const std::string place = place_of_barrier(earlier, now);
    if (!local && (!has_atomics_ || is_one_step))
        return {is_index_wrong + ("there must be a barrier " + place), true};
    if (!is_one_step || !local)
        return {"; there is no barrier " + place + or_overlap(earlier, now)};
    return {"; there is no barrier " + place + ", or " + wrong_index_in_step(now) +
                ": should both use this element in the same step?",
            true};
}

wire::Finding Reports::race(const Access& earlier, const Access& now, const std::string& name,
                            bool local) {
    const int first = line_of_site(earlier.site);
    const int second = line_of_site(now.site);
    const std::string earlier_access =
        accessor(earlier) + " " + verb(earlier) + " " + name + when(earlier, first);
    if (earlier.epoch.group != now.epoch.group) {
        const std::string reason = reason_between_groups(earlier, now);
        wire::Finding race = finding(FindingKind::data_race, second, first,
                                     earlier_access + " and " + accessor(now) + " " + verb(now) +
                                         " it" + when(now, second));
        race.explanation = between_groups(earlier, now, reason);
        if (!earlier.atomic && !now.atomic)
            race.explanation += explain_swaps(earlier, now);
        race.between_groups = !has_atomics_;
        race.is_explained = now.lacks_fence || !reason.empty();
        race.cause = outside_lock(earlier, now);
        race.both_store = earlier.write && now.write && !earlier.atomic && !now.atomic &&
                          earlier.hold == 0 && now.hold == 0;
        return race;
    }
    const std::string access = accessor_of_group(now) + " " + verb(now) + " it" + when(now, second);
    const auto until = group_.barriers.begin() + now.barriers;
    const auto barrier = std::find_if(group_.barriers.begin() + earlier.barriers, until,
                                      [](const PassedBarrier& one) { return one.is_barrier; });
    if (barrier != until)
        return race_across(*barrier, earlier, now, earlier_access, access, local);
    const std::string text = earlier_access + " and " + access;
    if (const std::string cause = step_that_differs(earlier, now); !cause.empty()) {
        wire::Finding race = effect(FindingKind::data_race, second, first, cause, text);
        race.within_group = true;
        return race;
    }
    const bool is_shared_store = first == second && earlier.write && now.write &&
                                 earlier.offset == now.offset && !is_copy(now) && !now.atomic &&
                                 (earlier.round == now.round ||
                                  loops_.heads_around(instructions_.at_site(now.site)).empty());
    const std::string unprotected = unprotected_side(earlier, now);
    const int fence =
        is_copy(earlier) ? 0 : group_.items[earlier.epoch.item - group_.first_item].fence_line;
    // A copy's line is only the line of the wait for it.
    wire::Finding race = is_copy(now) ? finding(FindingKind::data_race, first, second, text)
                                      : finding(FindingKind::data_race, second, first, text);
    if (unprotected.empty()) {
        Advice advice = advice_within_group(earlier, now, is_shared_store, local);
        race.explanation = std::move(advice.text);
        race.asks = advice.asks;
    } else {
        race.explanation = unprotected;
    }
    if (fence != 0 && unprotected.empty())
        race.explanation += " (the fence" + at_line(fence) +
                            " orders what one work-item does; it does not wait for others)";
    race.is_shared_store = is_shared_store;
    race.within_group = !is_shared_store && !both_update(earlier, now);
    if (!is_copy(earlier) && !is_copy(now))
        races_without_barrier_[{first, second}] = {race, earlier.epoch.item, now.epoch.item};
    return race;
}

} // namespace labgrind
