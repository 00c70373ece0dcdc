#include "labgrind/reports.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
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

/// "x, y and z".
std::string list(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string at_line(int line) { return line == 0 ? "" : " at line " + std::to_string(line); }

bool is_copy(const Access& access) { return access.epoch.item >= copies; }

std::string when(const Access& access, int line) {
    return is_copy(access) ? " before the wait at line " + std::to_string(line) + " ends"
                           : at_line(line);
}

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

} // namespace

Reports::Reports(const Names& names, const Instructions& instructions, const Races& local_races,
                 const Locks& locks, const Swaps& swaps, const Group& group, std::string kernel,
                 bool has_atomics)
    : names_(names), instructions_(instructions), local_races_(local_races), locks_(locks),
      swaps_(swaps), group_(group), kernel_(std::move(kernel)), has_atomics_(has_atomics) {}

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

void Reports::add_endless(FindingKind kind, int line, int other_line, const std::string& message) {
    wire::Finding endless = finding(kind, line, other_line, message);
    endless.is_endless = true;
    findings_.add(endless);
}

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
        findings_.add(
            effect(FindingKind::missing_fence, release, line_of_site(earlier.site),
                   fence + "comes before the lock is released" + at_line(release),
                   "what " + names_.item(earlier.epoch.item) + " " + verb(earlier) +
                       at_line(line_of_site(earlier.site)) +
                       " under the lock may still be under way when the next work-item takes the "
                       "lock"));
    }
    if (!second.lock_fenced[space]) {
        const int taken = line_of_site(second.lock_site);
        findings_.add(effect(FindingKind::missing_fence, taken, line_of_site(now.site),
                             fence + "comes after the lock is taken" + at_line(taken),
                             "what " + names_.item(now.epoch.item) + " " + verb(now) +
                                 at_line(line_of_site(now.site)) +
                                 " under the lock may happen before the lock is taken"));
    }
    return !first.release_fenced[space] || !second.lock_fenced[space];
}

std::string Reports::doer(const Access& access) const {
    return is_copy(access) ? "the asynchronous copy of " + names_.group(access.epoch.group)
                           : names_.item(access.epoch.item);
}

std::string Reports::doer_of_group(const Access& access) const {
    return is_copy(access) ? "the asynchronous copy"
                           : names_.item_of_group(access.epoch.item - group_.first_item);
}

/// Work-items of a group seldom share an element of global memory on purpose.
constexpr const char* is_index_wrong =
    "; check the indices: should both use this element of global memory? If so, ";

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
    return ", or an index" + or_condition(now) + " is wrong" +
           (lacks_condition ? ", or a condition such as if (lid < ...) is missing" : "") +
           ": should both use this element in the same step?";
}

std::string Reports::only_one_should_store(const Access& now) const {
    return "; only one work-item of a group should write it, as with if (get_local_id(0) == 0), or "
           "the index" +
           or_condition(now) + " is wrong";
}

/// What to do about a plain access that races with an atomic operation of another group.
std::string Reports::advice_beside_atomic(const Access& plain, const Access& atomic) const {
    const int read = line_of_site(plain.site);
    const int changed = line_of_site(atomic.site);
    const Instruction::Atomic& operation = instructions_.atomic_of_site(atomic.site);
    const bool is_in_two_steps =
        !plain.write && !plain.decides && !plain.polls && !operation.compares;
    const std::string between =
        ", also between line " + std::to_string(read) + " and line " + std::to_string(changed);
    if (is_in_two_steps && !operation.exchanges && read < changed)
        return between + ": the atomic operation returns the value before it, so use that value "
                         "and do not read it again";
    if (is_in_two_steps && plain.after_atomic)
        return "";
    if (is_in_two_steps && atomic.resets && read <= changed)
        return (read == changed ? "" : between) +
               "; the exchange overwrites what they have stored since the read: use a "
               "compare-and-swap in a loop, or a lock";
    if (instructions_.stores_constant(plain.site))
        return ", so no group can set the first value for the others: let the host set it before "
               "the launch";
    if (plain.decides)
        return "; line " + std::to_string(line_of_site(plain.site)) +
               " reads it again and again, so the read must be volatile or atomic: otherwise, the "
               "compiler may keep the first value";
    return "; both accesses must be atomic";
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
           " waits for this value, it must be stored by an atomic operation, such as atomic_xchg; "
           "if it waits for another word, both sides need a mem_fence() between the two words";
}

/// Why two groups race, after the accesses themselves.
std::string Reports::between_groups(const Access& earlier, const Access& now) const {
    const int first = line_of_site(earlier.site);
    const int second = line_of_site(now.site);
    std::string text = "; groups run at the same time and in any order";
    const auto under_a_lock = [&](std::uint32_t hold) {
        return hold != 0 && locks_.is_lock(locks_.hold(hold).word);
    };
    if (first != second && under_a_lock(earlier.hold) && now.hold == 0)
        text += "; line " + std::to_string(first) + " is protected by the lock, but line " +
                std::to_string(second) + " is not";
    else if (first != second && earlier.hold == 0 && under_a_lock(now.hold))
        text += "; line " + std::to_string(second) + " is protected by the lock, but line " +
                std::to_string(first) + " is not";
    else if (earlier.atomic != now.atomic)
        text += earlier.atomic ? advice_beside_atomic(now, earlier)
                               : advice_beside_atomic(earlier, now);
    else if (earlier.atomic && now.atomic)
        text += "; an exchange whose result is not used throws away what others have stored";
    else if (earlier.hold != 0 && now.hold != 0 &&
             locks_.hold(earlier.hold).word != locks_.hold(now.hold).word)
        text += "; both hold a lock, but not the same one";
    else if (has_atomics_ && first == second && earlier.write != now.write)
        text += "; line " + std::to_string(first) +
                " reads it and writes it in two steps, and another work-item can come between "
                "them: use one atomic operation";
    const Access& read = earlier.write ? now : earlier;
    const Access& store = earlier.write ? earlier : now;
    if (!read.write && !store.atomic && read.polls)
        text += advice_for_wait(read, store);
    if (has_atomics_)
        return text;
    // Without atomic operations, groups share nothing.
    const auto local_id = [&](const Access& access) {
        return access.epoch.item % static_cast<std::uint32_t>(group_.items.size());
    };
    if (!is_copy(earlier) && !is_copy(now) && local_id(earlier) == local_id(now))
        return text + ". Check the indices: the work-item with local id " +
               std::to_string(local_id(now)) + " uses this element in both groups";
    if ((earlier.write && now.write) || first == second)
        text += ". Check the indices: should both groups use this element?";
    return text;
}

/// Why the swaps before a race between groups protect nothing; "" if that is not known.
std::string Reports::idle_swaps(const Access& earlier, const Access& now) {
    if (has_named_swap_)
        return "";
    for (const Access* access : {&earlier, &now}) {
        const std::optional<Swap> idle = swaps_.idle(access->epoch.item);
        if (!idle)
            continue;
        has_named_swap_ = true;
        const std::string place = at_line(line_of_site(idle->site));
        if (!idle->compares)
            return "; the exchange" + place +
                   " stores 0, the value that means free, so it takes no lock";
        return "; " + names_.item(access->epoch.item) + " changes nothing" + place +
               ": it stores the value that it expects, " + show(idle->expected, *idle);
    }
    for (const Access* access : {&earlier, &now}) {
        const std::optional<Swap> vain = swaps_.vain(access->epoch.item);
        if (!vain)
            continue;
        has_named_swap_ = true;
        return "; " + names_.item(access->epoch.item) + " finds the lock taken" +
               at_line(line_of_site(vain->site)) + ", where it gets " + show(vain->found, *vain) +
               ", and continues without it";
    }
    if (const std::optional<Swap> blind = swaps_.blind(earlier.epoch.item)) {
        has_named_swap_ = true;
        return "; the atomic operation" + at_line(line_of_site(blind->site)) +
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

/// Whether a call waits at a barrier, itself or in a function that it calls.
bool has_barrier(const ir::Instruction& call) {
    if (call.opcode != ir::Opcode::call || call.callee == nullptr)
        return false;
    if (call.callee->is_declaration())
        return is_barrier(call);
    return std::ranges::any_of(call.callee->blocks, [](const ir::Block* block) {
        return std::ranges::any_of(block->instructions,
                                   [](const auto* one) { return has_barrier(*one); });
    });
}

/// What may lie on a way through a function.
struct Way {
    bool repeats = false;  ///< later iterations of loops
    bool barriers = false; ///< barriers
};

/// Whether control can go from `from` to `to`, or to the end of the function if that is null.
bool reaches(const ir::Instruction* from, const ir::Instruction* to, Way way) {
    std::vector<bool> entered(from->block->function->blocks.size());
    std::vector<const ir::Block*> open;
    const auto scan = [&](const ir::Block* block, auto begin) {
        for (auto one = begin; one != block->instructions.end(); ++one) {
            if (*one == to || (to == nullptr && (*one)->opcode == ir::Opcode::ret))
                return true;
            if (!way.barriers && has_barrier(**one))
                return false;
        }
        for (const ir::Block* next : block->successors()) {
            if ((way.repeats || next->number > block->number) && !entered[next->number]) {
                entered[next->number] = true;
                open.push_back(next);
            }
        }
        return false;
    };
    const auto& own = from->block->instructions;
    if (scan(from->block, std::find(own.begin(), own.end(), from) + 1))
        return true;
    while (!open.empty()) {
        const ir::Block* block = open.back();
        open.pop_back();
        if (scan(block, block->instructions.begin()))
            return true;
    }
    return false;
}

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

wire::Finding Reports::race(const Access& earlier, const Access& now, const std::string& name,
                            bool local) {
    const int first = line_of_site(earlier.site);
    const int second = line_of_site(now.site);
    const std::string text_of_earlier =
        doer(earlier) + " " + verb(earlier) + " " + name + when(earlier, first) + " and ";
    if (earlier.epoch.group != now.epoch.group) {
        std::string text = text_of_earlier + doer(now) + " " + verb(now) + " it" +
                           when(now, second) + between_groups(earlier, now);
        if (!earlier.atomic && !now.atomic)
            text += idle_swaps(earlier, now);
        wire::Finding race = finding(FindingKind::data_race, second, first, text);
        race.between_groups = !has_atomics_;
        return race;
    }
    const std::string other = doer_of_group(now) + " " + verb(now) + " it" + when(now, second);
    const auto until = group_.barriers.begin() + now.barriers;
    const auto barrier = std::find_if(group_.barriers.begin() + earlier.barriers, until,
                                      [](const PassedBarrier& one) { return one.is_barrier; });
    if (barrier != until) {
        const std::string cause = "the barrier" + at_line(barrier->line) + " does not order " +
                                  (local ? "local" : "global") + " memory";
        // A work-item that reads what another one has written means to use that element.
        const bool is_passed_on = earlier.write && !now.write;
        if (!local && !has_atomics_ && !is_passed_on) {
            wire::Finding race =
                finding(FindingKind::data_race, second, first,
                        text_of_earlier + other + is_index_wrong + "the barrier" +
                            at_line(barrier->line) + " needs CLK_GLOBAL_MEM_FENCE");
            race.within_group = true;
            race.cause = cause;
            return race;
        }
        return effect(FindingKind::barrier_flag, barrier->line, second, cause,
                      text_of_earlier + "after the barrier " + other + "; the barrier needs " +
                          (local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE"));
    }
    const bool is_one_step =
        (earlier.round == now.round && (first == second || are_alternatives(earlier, now))) ||
        (earlier.write && now.write && !is_copy(earlier) && !is_copy(now));
    std::string text = text_of_earlier + other;
    const bool is_shared_store = first == second && earlier.round == now.round && earlier.write &&
                                 now.write && earlier.offset == now.offset && !is_copy(now) &&
                                 !now.atomic;
    if (earlier.atomic != now.atomic)
        text += "; both accesses must be atomic, or there must be a barrier between them";
    else if (is_shared_store)
        text += only_one_should_store(now);
    else
        text +=
            local || (has_atomics_ && !is_one_step)
                ? "; there is no barrier " + place_of_barrier(earlier, now) +
                      (is_one_step && local ? wrong_index_in_step(now) : "")
                : is_index_wrong + ("there must be a barrier " + place_of_barrier(earlier, now));
    const int fence =
        is_copy(earlier) ? 0 : group_.items[earlier.epoch.item - group_.first_item].fence_line;
    if (fence != 0)
        text += " (the fence" + at_line(fence) +
                " orders what one work-item does; it does not wait for others)";
    // A copy's line is only the line of the wait for it.
    wire::Finding race = is_copy(now) ? finding(FindingKind::data_race, first, second, text)
                                      : finding(FindingKind::data_race, second, first, text);
    race.is_shared_store = is_shared_store;
    race.within_group = !is_shared_store;
    return race;
}

vm::Address meant_start(const vm::Memory& memory, const vm::WorkItem& item,
                        const ir::Instruction* instruction, vm::Address address, bool write) {
    const ir::Value* pointer = pointer_operand(instruction, write);
    while (pointer != nullptr) {
        const ir::Instruction* step = ir::as(pointer, ir::Opcode::step);
        if (step == nullptr)
            step = ir::as(pointer, ir::Opcode::bitcast);
        if (step == nullptr)
            break;
        pointer = step->operands[0];
        const vm::Address base = item.operand(pointer).get_address();
        if (memory.is_valid(base))
            return base - ir::offset_of(base);
    }
    return address - ir::offset_of(address);
}

/// The present value of `input`, see inputs_of_indices(), while `item` executes an instruction of
/// `block`; nothing if it is no longer known: blocks share registers, see ir.cpp.
std::optional<std::int64_t> value_of(const vm::WorkItem& item, const ir::Instruction& input,
                                     const ir::Block* block) {
    if (!input.type->is(ir::Type::Kind::integer))
        return std::nullopt;
    if (input.block == block)
        return item.operand(&input).get_signed();
    if (input.opcode != ir::Opcode::load)
        return std::nullopt;
    const ir::Instruction* variable = ir::as(input.operands[0], ir::Opcode::allocate);
    if (variable == nullptr)
        return std::nullopt;
    const auto is_elsewhere = [&](const ir::Instruction* user) {
        return user->block != variable->block;
    };
    if (std::ranges::none_of(variable->users, is_elsewhere))
        return std::nullopt;
    const vm::Address address = item.operand(variable).get_address();
    const std::size_t size = input.type->value_size();
    if (!item.private_memory().is_valid(address, size))
        return std::nullopt;
    const std::uint64_t bits = vm::number_at(item.private_memory().at(address), size);
    return size == sizeof(std::int32_t) ? static_cast<std::int32_t>(bits)
                                        : static_cast<std::int64_t>(bits);
}

/// "lid", or "get_global_id(0)"; "" for a part of a variable.
std::string name_of(const ir::Instruction& input) {
    if (input.opcode != ir::Opcode::call)
        return ir::as(input.operands[0], ir::Opcode::allocate) == nullptr
                   ? ""
                   : source_name(input.operands[0]);
    const bool has_dimension = !input.operands.empty() && !input.operands[0]->fixed.empty();
    return input.callee->plain_name + "(" +
           (has_dimension ? std::to_string(vm::number_at(input.operands[0]->fixed.data(),
                                                         sizeof(std::uint32_t)))
                          : "") +
           ")";
}

/// ", where lid is 3 and i is 2": what the indices of an access are computed from, unless that is the
/// index alone.
std::string values_of_indices(const vm::WorkItem& item, const ir::Instruction* access, bool write) {
    constexpr std::size_t most = 4;
    std::vector<std::string> values;
    for (const ir::Instruction* input : inputs_of_indices(pointer_operand(access, write))) {
        const auto value = value_of(item, *input, access->block);
        const std::string name = name_of(*input);
        if (!value || name.empty())
            continue;
        const std::string text = name + " is " + std::to_string(*value);
        if (std::ranges::find(values, text) == values.end())
            values.push_back(text);
    }
    if (values.size() < 2 || values.size() > most)
        return "";
    return ", where " + list(values);
}

/// What is wrong with a comparison in the function of `access`, not behind it, that asks whether an
/// unsigned number is below 0; "" if there is none.
std::string explain_unsigned_comparison(const ir::Instruction* access) {
    const ir::Instruction* found = nullptr;
    for (const ir::Block* block : access->block->function->blocks) {
        for (const ir::Instruction* one : block->instructions) {
            const bool has_one_result =
                one->opcode == ir::Opcode::icmp && is_zero(*one->operands[1]) &&
                (one->predicate == ir::Predicate::uge || one->predicate == ir::Predicate::ult);
            if (has_one_result && line_of(one) <= line_of(access))
                found = one;
        }
    }
    if (found == nullptr)
        return "";
    return "; the condition at line " + std::to_string(line_of(found)) + " is always " +
           (found->predicate == ir::Predicate::uge ? "true" : "false") +
           ", because an unsigned number is never below 0";
}

/// "; 1065353216 is the float 1 with its bits read as an int", if `index` or one beside it is such a
/// number; "" otherwise.
std::string explain_bits_of_float(std::int64_t index) {
    constexpr float most = 1 << 24;
    for (std::int64_t near = index - 1; near <= index + 1; ++near) {
        const auto bits = static_cast<std::uint32_t>(near);
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (near == std::int64_t{bits} && value >= 1 && value <= most && value == std::floor(value))
            return "; " + std::to_string(near) + " is the float " +
                   std::to_string(static_cast<int>(value)) + " with its bits read as an int";
    }
    return "";
}

/// "; 4294967295 is -1 as a uint", if `index` is such a number; "" otherwise.
std::string explain_wrapped_index(std::int64_t index) {
    constexpr std::int64_t wrap = std::int64_t{1} << 32;
    constexpr std::int64_t most_below_zero = 65536;
    if (index >= wrap || index < wrap - most_below_zero)
        return "";
    return "; " + std::to_string(index) + " is " + std::to_string(index - wrap) +
           " as a uint: an unsigned number below 0 wraps around";
}

/// ", because the host passes 8 bytes, 4 for each work-item".
std::string local_memory_from_host(std::size_t bytes, std::size_t items) {
    std::string text = ", because the host passes " + std::to_string(bytes) + " bytes";
    if (bytes % items == 0)
        text += ", " + std::to_string(bytes / items) + " for each work-item";
    return text;
}

void Reports::add_bounds(const vm::Memory& memory, const Item& item,
                         const ir::Instruction* instruction, vm::Address address, std::size_t size,
                         bool write) {
    const int line = line_of(instruction);
    if (findings_.has(FindingKind::out_of_bounds, line))
        return;
    std::string text = names_.item(item.number) + (write ? " writes " : " reads ");
    const vm::Address start = meant_start(memory, *item.item, instruction, address, write);
    const std::uint32_t buffer = ir::buffer_of(start);
    const Names::Variable variable = names_.variable(memory.space(), buffer, group_, item);
    std::int64_t index = 0;
    if (variable.name.empty()) {
        text += "memory that belongs to no buffer" + at_line(line);
    } else {
        const std::size_t width = variable.element_size != 0 ? variable.element_size : size;
        const std::size_t count = variable.size / width;
        if (count == 0) {
            add(FindingKind::out_of_bounds, line, 0,
                text + std::to_string(size) + " bytes of " + variable.name + at_line(line) +
                    ", but " + variable.name + " has " + std::to_string(variable.size) +
                    (variable.size % 4 == 0
                         ? "; must the kernel use a smaller type for it, or the host a larger one?"
                         : "; was its size given in elements instead of bytes?"));
            return;
        }
        const auto offset = static_cast<std::int64_t>(address - start);
        index = offset / static_cast<std::int64_t>(width);
        text += Names::element(variable, offset, size);
        if (size > width && !variable.is_struct) // several of them at once
            text += " to " + Names::element(
                                 variable, offset + static_cast<std::int64_t>(size - width), width);
        text += at_line(line) + values_of_indices(*item.item, instruction, write) + ", but " +
                variable.name + " has ";
        text += count == 1 ? "one element" : "elements 0 to " + std::to_string(count - 1);
        if (memory.space() == ir::local_space && variable.argument >= 0)
            text += local_memory_from_host(variable.size, group_.items.size());
    }
    text += explain_unsigned_comparison(instruction) + explain_wrapped_index(index) +
            explain_bits_of_float(index);
    add(FindingKind::out_of_bounds, line, 0, text);
}

void Reports::add_index(const Item& item, const ir::Instruction* instruction, bool write,
                        std::int64_t index, std::int64_t length) {
    const int line = line_of(instruction);
    const ir::Value* variable = base_of(pointer_operand(instruction, write));
    for (const wire::Finding& known : findings_.all()) {
        if (known.kind == FindingKind::out_of_bounds && known.line == line)
            return; // reported with the place that was hit
    }
    add(FindingKind::out_of_bounds, line, 0,
        names_.item(item.number) + (write ? " writes" : " reads") + " with index " +
            std::to_string(index) + at_line(line) + ", but " +
            (variable == nullptr ? "the array" : "that dimension of " + source_name(variable)) +
            " has indices 0 to " + std::to_string(length - 1));
}

void Reports::add_copy_bounds(const vm::Memory& memory, vm::Address address, std::size_t size,
                              bool write) {
    const ir::Instruction* wait = group_.items.front().waits_at;
    const int line = wait == nullptr ? 0 : line_of(wait);
    const Names::Variable variable =
        names_.variable(memory.space(), ir::buffer_of(address), group_, group_.items.front());
    add(FindingKind::out_of_bounds, line, 0,
        "the copy that " + names_.group(group_.index) + " waits for" + at_line(line) +
            (write ? " writes " : " reads ") + std::to_string(size) + " bytes starting at byte " +
            std::to_string(ir::offset_of(address)) + " of " +
            (variable.name.empty()
                 ? "memory that belongs to no buffer"
                 : variable.name + ", which has " + std::to_string(variable.size) + " bytes"));
}

namespace {

/// "lanes y, z and w of ", if only some lanes of a vector were uninitialized when it was read.
std::string uninitialized_lanes(const Origin& origin) {
    constexpr std::size_t most_lanes = 4; // those with letters
    const std::size_t lanes = origin.load == nullptr ? 1 : origin.load->type->lanes();
    if (lanes < 2 || lanes > most_lanes || origin.bytes == 0)
        return "";
    const std::size_t size = origin.load->type->scalar().size;
    std::vector<std::string> missing;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        if ((origin.bytes >> (lane * size) & 1) != 0)
            missing.emplace_back(1, "xyzw"[lane]);
    }
    if (missing.empty() || missing.size() == lanes)
        return "";
    return (missing.size() == 1 ? "lane " : "lanes ") + list(missing) + " of ";
}

} // namespace

/// "; work-item 0 does not execute line 19, which writes temp[3] for work-item 1": why nothing has
/// written an element of local memory that work-items write each their own; "" if that is not known.
std::string Reports::skipped_store(vm::Address address, std::size_t size,
                                   const Item& reader) const {
    struct Stores {
        std::int64_t element = 0; ///< of one of them
        std::int64_t item = 0;    ///< its local ID
        int count = 0;
        bool is_one_each = true; ///< neighbors write neighboring elements
    };
    const auto items = static_cast<std::int64_t>(group_.items.size());
    const auto wanted = static_cast<std::int64_t>(ir::offset_of(address) / size);
    std::map<std::uint32_t, Stores> by_site;
    for (std::int64_t element = std::max<std::int64_t>(0, wanted - items + 1);
         element < wanted + items; ++element) {
        const Access* store = local_races_.last_store(ir::buffer_of(address),
                                                      static_cast<std::size_t>(element) * size);
        if (store == nullptr || is_copy(*store))
            continue;
        Stores& stores = by_site[store->site];
        const std::int64_t item = std::int64_t{store->epoch.item} - group_.first_item;
        stores.is_one_each &= stores.count == 0 || element - item == stores.element - stores.item;
        stores.element = element;
        stores.item = item;
        ++stores.count;
    }
    for (const auto& [site, stores] : by_site) {
        const std::int64_t missing = stores.item + wanted - stores.element;
        const bool is_known = stores.count > 1 || missing == std::int64_t{reader.local};
        if (!stores.is_one_each || !is_known || missing < 0 || missing >= items)
            continue;
        const vm::Address stored =
            address + static_cast<std::uint64_t>(stores.element - wanted) * size;
        return "; work-item " + std::to_string(missing) + " does not execute line " +
               std::to_string(line_of_site(site)) + ", which writes " +
               names_.at(reader.item->memory(ir::local_space), stored, size, group_, reader) +
               " for work-item " + std::to_string(stores.item);
    }
    return "";
}

void Reports::add_undefined(const Item& item, const Undefined& undefined, int line,
                            const char* use) {
    const Origin& origin = undefined.origin;
    const bool is_global = origin.space == ir::global_space;
    if (is_global && !unwritten_.empty())
        return;
    const int read = origin.load == nullptr ? line : line_of(origin.load);
    const Item& reader = origin.item ? group_.items[*origin.item - group_.first_item] : item;
    const vm::Memory& memory = reader.item->memory(origin.space);
    const std::size_t size =
        origin.load == nullptr ? sizeof(float) : origin.load->type->value_size();
    const std::string name =
        uninitialized_lanes(origin) +
        names_.at(memory, origin.address, std::max<std::size_t>(size, 1), group_, reader);
    wire::Finding found = finding(
        FindingKind::uninitialized, read == 0 ? line : read, line,
        names_.item(reader.number) + " reads " + name + at_line(read) +
            (is_global ? ", which nothing has written, and " : ", which is uninitialized, and ") +
            use + (line != read ? at_line(line) : ""));
    if (origin.space == ir::local_space && size != 0)
        found.message += skipped_store(origin.address, size, reader);
    if (!is_global)
        return findings_.add(found);
    found.argument =
        names_.variable(origin.space, ir::buffer_of(origin.address), group_, item).argument;
    unwritten_.push_back(std::move(found));
}

void Reports::add_unwritten(const Item& item, int line, const std::string& name) {
    add(FindingKind::uninitialized, line, 0,
        names_.item(item.number) + " uses " + name + " in the atomic operation" + at_line(line) +
            ", but it is uninitialized: the host must set its first value before the launch");
}

void Reports::add_forbidden_read(int line, const std::string& name) {
    add(FindingKind::reads_write_only, line, 0,
        name + " is read" + at_line(line) +
            ", but the host created its buffer with CL_MEM_WRITE_ONLY: what a kernel reads there "
            "is undefined; if the kernel must read what was written before, create it with "
            "CL_MEM_READ_WRITE");
}

void Reports::add_forbidden_write(int line, const std::string& name) {
    add(FindingKind::writes_read_only, line, 0,
        name + " is written" + at_line(line) +
            ", but the host created its buffer with CL_MEM_READ_ONLY: what happens to it is "
            "undefined; if the kernel must write it, create it with CL_MEM_READ_WRITE");
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
        text += away.size() == 1 ? ", which has ended" : ", which have ended";
    else
        text += std::string(away.size() == 1 ? ", which waits" : ", which wait") +
                " at the barrier" + at_line(line_of(missing.waits_at)) +
                (missing.waits_at != first.waits_at       ? ""
                 : missing.waits_from != first.waits_from ? ", called from elsewhere"
                                                          : " in another iteration of the loop");
    if (parted != 0)
        text += "; they diverge at line " + std::to_string(parted);
    if (const ir::Instruction* flag = branch ? flag_of(instructions_.at_site(*branch)) : nullptr)
        text += ": " + source_name(flag) + " is a private variable, so each work-item has its own";
    // Of two barriers, report the one on the path that not all work-items take.
    const int other = missing.waits_at == nullptr ? 0 : line_of(missing.waits_at);
    const bool elsewhere = other >= parted && (line < parted || other < line);
    add(FindingKind::divergent_barrier, parted != 0 && other != 0 && elsewhere ? other : line,
        parted, text);
    const ir::Instruction* decision = branch ? instructions_.at_site(*branch) : nullptr;
    if (decision != nullptr && shared_loads_behind(decision->operands[0]).loads.empty())
        findings_.note_divergence();
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

void Reports::add_endless_meetings() {
    const ir::Instruction* barrier = group_.items.front().waits_at;
    const int line = barrier == nullptr ? 0 : line_of(barrier);
    const auto steps = steps_of_tree(group_.items.size());
    add_endless(FindingKind::endless_loop, line, 0,
                names_.group(group_.index) + " does not end: it has reached " +
                    std::to_string(group_.barriers.size()) + " barriers, the last one" +
                    at_line(line) + ". In a group of " + std::to_string(group_.items.size()) +
                    ", a loop that halves or doubles a distance ends after " +
                    std::to_string(steps) + (steps == 1 ? " iteration" : " iterations") +
                    (barrier == nullptr ? "" : explain_unsigned_comparison(barrier)));
}

void Reports::add_unawaited(const ir::Instruction& copy) {
    const int line = line_of(&copy);
    add(FindingKind::data_race, line, 0,
        "the asynchronous copy" + at_line(line) +
            " is never waited for, so its elements may arrive at any time: all work-items of the "
            "group must call wait_group_events(1, &event) before they use them");
}

void Reports::add_endless(const Item& item, const ir::Instruction* instruction,
                          const RunOptions& options, const std::string& reason) {
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
            add_endless(FindingKind::endless_loop, line, item.patience.last_line(),
                        names_.item(item.number) + " is still in a loop after " +
                            std::to_string(item.patience.budget()) + " instructions," + place +
                            (reason.empty() ? "" : ": " + reason) +
                            explain_unsigned_comparison(instruction));
            return;
        }
        wire::Finding wait = finding(
            FindingKind::unpromised_wait, line, item.patience.last_line(),
            names_.item(item.number) + " waits" + place +
                (options.last_group_first
                     ? " for a group that may not have begun: groups begin in any order, and a "
                       "device may begin one only after another one has ended"
                     : " for another work-item of its group, which may not run until this one "
                       "reaches a barrier: between barriers, work-items run in any order"));
        wait.between_groups = options.last_group_first;
        findings_.add(wait);
        return;
    }
    const Hold& hold = locks_.hold(number);
    const int line = line_of_site(hold.lock_site);
    if (hold.item == item.number) {
        add_endless(FindingKind::never_unlocked, line, 0,
                    names_.item(item.number) + " waits forever for a lock that it took itself" +
                        at_line(line) + " and has not released");
        return;
    }
    const std::string waits = names_.item(item.number) + " waits forever for the lock that " +
                              names_.item(hold.item) + " took" + at_line(line);
    const std::uint32_t first = group_.first_item;
    const bool alive = hold.item >= first && hold.item < first + group_.items.size() &&
                       !group_.items[hold.item - first].finished;
    if (alive && group_.items[hold.item - first].waits_at != nullptr)
        add_endless(FindingKind::barrier_in_lock, line_of(group_.items[hold.item - first].waits_at),
                    line,
                    waits + "; that work-item waits at the barrier" +
                        at_line(line_of(group_.items[hold.item - first].waits_at)) +
                        " for the rest of its group");
    else
        add_endless(FindingKind::never_unlocked, line, 0, waits + never_released(hold));
}

/// On which way a work-item ended that still held a lock; "" if that says nothing, as if no work-item
/// ever releases it.
std::string Reports::way_out(const Hold& hold) const {
    const bool others_release = std::ranges::any_of(
        locks_.holds(), [&](const Hold& one) { return one.word == hold.word && one.released; });
    const int line = hold.last_branch ? line_of_site(*hold.last_branch) : 0;
    return !others_release || line == 0 || line == line_of_site(hold.lock_site)
               ? ""
               : ": it ends without a release after the condition" + at_line(line);
}

/// How a lock is not released: " and never releases it", or by which other value.
std::string Reports::never_released(const Hold& hold) const {
    for (const Swap& swap : swaps_.failed()) {
        if (swap.item == hold.item && swap.address == hold.word && swap.site != hold.lock_site)
            return " and never released: " + never_stored(swap);
    }
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
                    " by an ordinary store, which orders nothing; use atomic_xchg");
        } else if (!hold.released && !findings_.has(FindingKind::barrier_in_lock) &&
                   !findings_.has(FindingKind::endless_loop)) {
            add_endless(FindingKind::never_unlocked, taken_at, 0, // for the next one that wants it
                        names_.item(hold.item) + " takes the lock" + at_line(taken_at) +
                            " and never releases it" + way_out(hold));
        }
    }
    for (const Locks::Stray& stray : locks_.strays())
        add(FindingKind::unlock_not_held, line_of_site(stray.site),
            stray.holder ? line_of_site(locks_.hold(*stray.holder).lock_site) : 0,
            names_.item(stray.item) + " releases the lock" + at_line(line_of_site(stray.site)) +
                (stray.holder
                     ? ", but " + names_.item(locks_.hold(*stray.holder).item) + " holds it"
                     : ", but no work-item holds it"));
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
                ": if they run in lock step, the one that has it cannot continue to line " +
                std::to_string(line_of_site(a.release_site)) +
                " before the other has left the loop too, so both wait forever; let one "
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
        names_.item(hang->second) + " waits" + at_line(wait) + " for what " +
            names_.item(hang->first) + " does" + at_line(store) + ": if they run in lock step, " +
            names_.item(hang->first) + " cannot continue to line " + std::to_string(store) +
            " before the other has left the loop too, so both wait forever; let one work-item "
            "per group wait, or move what follows the loop into it");
}

} // namespace labgrind
