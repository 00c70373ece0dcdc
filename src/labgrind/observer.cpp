#include "labgrind/observer.hpp"

#include "labgrind/observed_launch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace labgrind {
namespace {

/// A group that has met this often in a launch on a small input is endless, and so is one that has
/// met often and takes long.
constexpr std::size_t most_barriers = 12'000;
constexpr std::size_t many_barriers = 256;

/// The flag of barriers and fences for an address space.
std::uint32_t flag_of(Space space) {
    return space == local_space ? vm::local_flag : vm::global_flag;
}

/// The bytes that all work-items know from arguments passed by value, without sizes and the like.
std::size_t bytes_by_value(const vm::Launch& launch) {
    constexpr std::size_t sizes_and_the_like = 64;
    std::size_t bytes = 0;
    for (const ir::Argument* argument : launch.kernel().arguments) {
        if (argument->by_value != nullptr)
            continue;
        if (!argument->type->is(ir::Type::Kind::pointer))
            bytes += argument->type->size;
    }
    return std::max(bytes, sizes_and_the_like) - sizes_and_the_like;
}

/// Whether it takes a lock: it replaces 0, or any value, by another constant.
bool takes_lock(const ir::Instruction& call) {
    const bool compares = call.atomic() == ir::Atomic::compare_exchange;
    return (compares || call.atomic() == ir::Atomic::exchange) &&
           ir::as_constant(call.operands.back()) != nullptr && !is_zero(*call.operands.back()) &&
           (!compares || is_zero(*call.operands[1]));
}

} // namespace

Observer::Observer() = default;
Observer::~Observer() = default;

Observer::Launch::Launch(vm::Launch& one, const Group& group, wire::WorkCounts& counts,
                         RunOptions how)
    : launch(one), group_size(static_cast<std::uint32_t>(vm::volume(one.group_size))),
      options(std::move(how)), instructions(one.module()),
      constants(one.module().constant_buffers()), may_change_atomically(one.module().has_atomics()),
      work(counts, bytes_by_value(one)), names(one),
      reports(names, instructions, loops, locks, swaps, group, counts.kernel,
              may_change_atomically) {}

// --- launches, groups, work-items -------------------------------------------------------------------

void Observer::on_launch_begins(vm::Launch& launch) {
    analysis_ = {};
    analysis_.work.kernel = launch.kernel().name;
    analysis_.work.launches = 1;
    group_ = {};
    paused_.clear();
    current_ = nullptr;
    passing_ = nullptr;
    ours_ = false;
    instructions_ = 0;
    launch_ =
        std::make_unique<Launch>(launch, group_, analysis_.work, std::exchange(next_options_, {}));
}

void Observer::on_launch_ends() {
    if (group_.handle == nullptr || ours_) {
        launch_->reports.add_failed_swaps();
        launch_->reports.add_locks();
        launch_->reports.add_hang(launch_->waits);
    }
    if (!paused_.empty()) // groups took turns, and have not ended
        report_load_races(true);
    report_load_races(false);
    explain_races_of_parts();
    analysis_.cut_short = ours_;
    analysis_.findings = launch_->reports.findings().without_consequences();
    analysis_.unwritten = launch_->reports.unwritten();
    current_ = nullptr;
    group_ = {};
    paused_.clear();
}

/// Records the values of the words of this group's local memory that work-items contended for.
void Observer::keep_local_values() {
    const vm::Memory& memory = group_.handle->local_memory();
    for (const auto& [word, address] : launch_->local_words) {
        if (memory.is_valid(address, sizeof(std::uint32_t)))
            launch_->local_values[word] = vm::number_at(memory.at(address), sizeof(std::uint32_t));
    }
    launch_->local_words.clear();
}

const std::map<std::uint64_t, std::uint64_t>& Observer::local_values() const {
    return launch_->local_values;
}

const Footprint& Observer::footprint() const { return launch_->footprint; }

bool Observer::groups_meet() const { return launch_->global_atomics && analysis_.work.groups > 1; }

bool Observer::shares_atomics() const { return launch_->shared_words.atomics_meet(); }

bool Observer::uses_atomics() const { return launch_->any_atomics; }

ContendedWords Observer::contended_words() const { return launch_->locks.contended(); }

const Contention& Observer::contention() const { return launch_->options.contention; }

void Observer::on_group_begins(vm::Group& group) {
    ++analysis_.work.groups;
    analysis_.work.work_items += group.items().size();
    std::vector<Item> items = std::move(group_.items);
    group_ = {};
    group_.items = std::move(items);
    group_.handle = &group;
    group_.index = static_cast<std::uint32_t>(group.number());
    group_.first_item = group_.index * launch_->group_size;
    group_.items.resize(group.items().size());
    for (vm::WorkItem& item : group.items()) {
        Item& known = group_.items[item.number()];
        known.restart();
        known.item = &item;
        known.local = static_cast<std::uint32_t>(item.number());
        known.number = group_.first_item + known.local;
    }
    local_bytes_.clear();
    for (std::uint32_t buffer = 1; buffer <= group.local_memory().pieces(); ++buffer) {
        local_bytes_.resize(buffer + 1);
        local_bytes_[buffer].reset(group.local_memory().size_of(buffer));
    }
    local_origins_.clear();
    current_ = nullptr;
    const auto count = static_cast<std::uint32_t>(group_.items.size());
    for (auto& space : launch_->accesses)
        space.order.begin_group(group_.index, group_.first_item, count);
    launch_->accesses[local_space].races.clear();
}

void Observer::on_group_ends(vm::Group& group) {
    for (const vm::AsyncCopy& copy : group.copies()) {
        if (!copy.done)
            launch_->reports.add_unawaited(*copy.asked_by);
    }
    launch_->work.end_group();
    keep_local_values();
    report_load_races(true);
    current_ = nullptr;
    group_.handle = nullptr;
}

void Observer::on_item_ends(vm::WorkItem& work_item) {
    Item& item = switch_to(work_item);
    item.finished = true;
    if (launch_->locks.held_by(item.number) == 0)
        return;
    const auto way_out = std::find_if(item.path.rbegin(), item.path.rend(), [&](auto step) {
        return avoids_release(*launch_->instructions.at_site(step / 2), step % 2 != 0);
    });
    if (way_out != item.path.rend())
        launch_->locks.end_at(item.number, *way_out / 2);
}

/// Pauses the group that runs, and continues with `group` or begins it. Groups that run one after the other
/// are never paused.
void Observer::enter(vm::Group& group) {
    if (group_.handle == &group)
        return;
    auto known = paused_.extract(group.number());
    PausedGroup paused = exchange_group(known ? std::move(known.mapped()) : PausedGroup{});
    if (paused.group.handle != nullptr)
        paused_.emplace(paused.group.index, std::move(paused));
    current_ = nullptr;
    if (!known)
        on_group_begins(group);
}

Observer::PausedGroup Observer::exchange_group(PausedGroup other) {
    auto& [local, global] = launch_->accesses;
    return {std::exchange(group_, std::move(other.group)),
            std::exchange(local_bytes_, std::move(other.local_bytes)),
            std::exchange(local_origins_, std::move(other.local_origins)),
            {local.order.switch_to(std::move(other.orders[local_space])),
             global.order.switch_to(std::move(other.orders[global_space]))},
            std::exchange(local.races, std::move(other.local_races))};
}

Item& Observer::switch_to(const vm::WorkItem& item) {
    enter(item.group());
    Item& one = group_.items[item.number()];
    // A work-item that runs in the middle of another one's instruction counts for that one.
    if (passing_ == nullptr && launch_->options.contention.overtaking() == nullptr &&
        current_ != &one) {
        current_ = &one;
        launch_->work.switch_to(one.local);
    }
    return one;
}

/// Runs the work-items after `item` in its group, last first, each up to its next barrier or its
/// end. The machine itself begins with the first, at the start and after every barrier.
void Observer::let_later_ones_pass(const Item& item) {
    if (passing_ != nullptr || std::exchange(group_.turned_round, true))
        return;
    for (std::size_t local = group_.items.size(); --local > item.local;) {
        passing_ = &group_.items[local];
        while (passing_->item->state() == vm::WorkItem::State::ready)
            passing_->item->step();
    }
    passing_ = nullptr;
}

void Observer::on_barrier(vm::Group& group, std::uint32_t flags) {
    enter(group);
    check_divergence();
    const std::size_t met = group_.barriers.size();
    if (met >= most_barriers ||
        (met >= many_barriers && group_.patience.is_over(group_.instructions, 0, 0))) {
        const Item& first = group_.items.front();
        launch_->reports.add_endless_meetings(
            first.waits_at == nullptr ? "" : state_of_loop(first, first.waits_at));
        cut_short();
    }
    const ir::Instruction* at = group_.items.front().waits_at;
    const bool is_barrier = at == nullptr || !launch_->instructions.facts_of(at).awaits_copies;
    group_.barriers.push_back({at == nullptr ? 0 : line_of(at), is_barrier});
    if (is_barrier) {
        for (const Space space : {local_space, global_space})
            launch_->accesses[space].order.barrier((flags & flag_of(space)) != 0);
        launch_->work.barrier();
    } else {
        flags = 0;
    }
    group_.turned_round = false;
    if (std::exchange(group_.copied, false)) {
        for (auto& space : launch_->accesses)
            space.order.copies_done();
    }
    for (Item& item : group_.items) {
        item.waits_at = nullptr;
        item.path.clear();
        item.recent_loads.clear();
        item.recent_atomics.clear();
        item.fence_line = 0;
        if (is_barrier)
            item.round = 0;
        for (const Space space : {local_space, global_space}) {
            if ((flags & flag_of(space)) != 0)
                launch_->locks.fence(item.number, space, true, true);
        }
    }
    current_ = nullptr;
}

/// Ends the launch if not all work-items of the group wait at the same barrier.
void Observer::check_divergence() {
    const auto first = std::ranges::find_if(
        group_.items, [](const Item& item) { return item.waits_at != nullptr; });
    if (first == group_.items.end())
        return;
    std::vector<std::uint32_t> here;
    std::vector<std::uint32_t> away;
    for (const Item& item : group_.items) {
        const bool together = item.waits_at == first->waits_at &&
                              item.waits_from == first->waits_from &&
                              item.waits_in == first->waits_in;
        (together ? here : away).push_back(item.local);
    }
    if (away.empty())
        return;
    launch_->reports.add_divergence(here, away);
    cut_short();
}

void Observer::cut_short() {
    ours_ = true;
    throw SeenEnough{};
}

void Observer::on_copy_divergence(vm::WorkItem& item) {
    launch_->reports.add(FindingKind::divergent_barrier, line_of(item.current()), 0,
                         "not all work-items of a group start the same asynchronous copy");
}

void Observer::on_division(vm::WorkItem& item, const ir::Instruction& instruction) {
    switch_to(item).values.on_division(item, instruction);
}

// --- instructions ------------------------------------------------------------------------------------

void Observer::on_executed(vm::WorkItem& work_item, const ir::Instruction& instruction,
                           std::byte* result) {
    Item& item = switch_to(work_item);
    if (launch_->options.last_item_first)
        let_later_ones_pass(item);
    const Instruction& known = launch_->instructions.facts_of(&instruction);
    if (known.additions != 0)
        launch_->work.additions(known.additions, instruction.line);
    launch_->work.comparisons(known.comparisons);
    switch (known.action) {
    case Action::none:
        break;
    case Action::allocate: {
        const vm::Address address = vm::number_at(result, sizeof(vm::Address));
        const std::uint32_t buffer = ir::buffer_of(address);
        item.values.on_alloca(buffer, &instruction, work_item.private_memory().size_of(buffer));
        break;
    }
    case Action::load:
        check_indices(item, instruction, known);
        if (const auto undefined = item.values.of(instruction.operands[0]))
            launch_->reports.add_undefined(item, *undefined, line_of(&instruction),
                                           UseOfUndefined::address);
        break;
    case Action::store:
        check_indices(item, instruction, known);
        on_plain_store(item, instruction);
        break;
    case Action::vector_store:
        on_vector_store(item, instruction);
        break;
    case Action::branch:
        on_branch(item, instruction, known.site);
        break;
    case Action::jump:
        note_jump(item, instruction, instruction.successors[0]);
        break;
    case Action::call:
        on_call(item, instruction);
        return; // the result comes with the return
    case Action::ret:
        on_return(item, instruction);
        return;
    case Action::barrier:
        item.waits_at = &instruction;
        item.waits_from = item.call_hash();
        item.waits_in = round_hash(item, instruction);
        break;
    case Action::fence: {
        const auto flags =
            static_cast<std::uint32_t>(work_item.operand(instruction.operands[0]).get_unsigned());
        for (const Space space : {local_space, global_space}) {
            if ((flags & flag_of(space)) == 0)
                continue;
            launch_->accesses[space].order.fence(item.number, known.acquires, known.releases);
            launch_->locks.fence(item.number, space, known.acquires, known.releases);
        }
        item.fence_line = launch_->instructions.line_of_site(known.site);
        break;
    }
    case Action::atomic:
        on_atomic_executed(item, instruction, known, result);
        break;
    case Action::copy:
        on_structure_copied(item, instruction);
        break;
    }
    item.values.on_executed(&work_item, &instruction);
    check_budget(item, instruction);
}

void Observer::check_budget(Item& item, const ir::Instruction& instruction) {
    // Reading a line takes time, and most work-items end long before it is needed.
    ++group_.instructions;
    if (++instructions_ > launch_->options.most_instructions)
        throw vm::Stuck("the launch takes too long: it has reached line " +
                        std::to_string(line_of(&instruction)));
    if (++item.instructions < item.patience.budget() ||
        !item.patience.is_over(item.instructions, line_of(&instruction), item.calls.size()))
        return;
    LoopReason reason{.text = mistake_in_loop(item)};
    reason.is_mistake = !reason.text.empty();
    if (reason.text.empty())
        reason = reason_to_wait(item, instruction);
    if (reason.text.empty())
        reason.text = state_of_loop(item, &instruction);
    launch_->reports.add_endless(item, &instruction, launch_->options, reason);
    cut_short();
}

namespace {

/// ", a uchar,": the type of a variable that a number of a loop may not fit into; "" for others.
std::string narrow_type(const ir::Value& pointer) {
    const ir::Instruction* variable = ir::as(&pointer, ir::Opcode::allocate);
    if (variable == nullptr || variable->variable == nullptr ||
        variable->value_type->size >= sizeof(std::int32_t))
        return "";
    const ir::Metadata* type = variable->variable->link("type");
    const std::string name = type == nullptr ? "" : type->text("name");
    return name.empty() || name == "bool" ? "" : ", a " + name + ",";
}

} // namespace

/// The variables that decide if the loop around `instruction`, where `item` is, ends: "in the condition
/// at line 12, d is 0 and m is 300"; "" if there are none.
std::string Observer::state_of_loop(const Item& item, const ir::Instruction* instruction) const {
    auto condition = launch_->loops.condition_around(instruction);
    for (auto call = item.calls.rbegin(); call != item.calls.rend() && !condition; ++call)
        condition = launch_->loops.condition_around(*call);
    std::string states;
    for (std::size_t i = 0; condition && i < condition->reads.size(); ++i) {
        const ir::Instruction& read = *condition->reads[i];
        const std::string name = source_name(read.operands[0]);
        const vm::Address variable = item.item->operand(read.operands[0]).get_address();
        const vm::Memory& memory = item.item->private_memory();
        const std::size_t size = read.type->size;
        if (!read.type->is(ir::Type::Kind::integer) || name.empty())
            return "";
        if (memory.is_valid(variable, size))
            states += (states.empty() ? "" : " and ") + name + narrow_type(*read.operands[0]) +
                      " is " + std::to_string(vm::Operand{memory.at(variable), size}.get_signed());
    }
    return states.empty()
               ? ""
               : "in the condition at line " + std::to_string(line_of(condition->branch)) + ", " +
                     states + (condition->is_fixed ? ", and the loop never changes that" : "");
}

/// Whether `site` is in the loop in which `item` is.
bool Observer::is_in_loop(const Item& item, std::uint32_t site) const {
    const int line = launch_->instructions.line_of_site(site);
    return line >= item.patience.first_line() && line <= item.patience.last_line();
}

/// What is wrong with the condition of the loop in which `item` is; "" if that is not known.
std::string Observer::mistake_in_loop(const Item& item) const {
    const std::vector<std::uint32_t> swaps = launch_->swaps.sites();
    if (std::ranges::any_of(swaps, [&](std::uint32_t site) {
            return is_in_loop(item, site) &&
                   launch_->instructions.atomic_of_site(site).compared_with_new;
        }))
        return "it compares the result of the compare-and-swap, which is the old value, with the "
               "new value: compare it with the expected one, the second argument";
    if (item.nan_line != 0)
        return "line " + std::to_string(item.nan_line) +
               " compares with NaN, which is not equal to itself: compare the bits, as integers";
    return "";
}

/// ", while line 70 changes mutex[0]": the only other word of its buffer that atomic operations have changed;
/// "" if there is none or there are several.
std::string Observer::changed_instead(const Item& item, vm::Address address) const {
    const std::pair<const std::uint64_t, std::set<std::uint32_t>>* only = nullptr;
    for (const auto& changed : launch_->changed_words) {
        if (changed.first >= local_word || ir::buffer_of(changed.first) != ir::buffer_of(address))
            continue;
        if (only != nullptr)
            return "";
        only = &changed;
    }
    if (only == nullptr)
        return "";
    std::set<int> lines;
    for (const std::uint32_t site : only->second)
        lines.insert(launch_->instructions.line_of_site(site));
    return ", while " + list_lines({lines.begin(), lines.end()}) +
           (lines.size() == 1 ? " changes " : " change ") +
           launch_->names.at(launch_->launch.global_memory(), only->first, sizeof(std::uint32_t),
                             group_, item);
}

namespace {

/// The value with which `read`, which has returned `value`, is compared if it waits for that value; nothing
/// if that is not known. `now`: the instruction that `item` executes.
std::optional<std::int64_t> awaited_value(const Item& item, const ir::Instruction& read,
                                          const ir::Instruction& now, std::int64_t value) {
    if (read.block->function != now.block->function)
        return std::nullopt; // its values are gone
    for (const ir::Instruction* one : read.block->instructions) {
        const bool compares = one->opcode == ir::Opcode::icmp &&
                              !ir::asks_for_order(one->predicate) &&
                              std::ranges::find(one->operands, &read) != one->operands.end();
        if (!compares)
            continue;
        const ir::Value* other = one->operands[one->operands[0] == &read ? 1 : 0];
        const std::int64_t wanted = item.item->operand(other).get_signed();
        if (wanted != value) // otherwise it waits for any other value
            return wanted;
    }
    return std::nullopt;
}

} // namespace

/// "line 70 changes it, but line 80 leaves it as it is", for a word that `item` waits for: what atomic
/// operations outside its loop have done to it; "" if there were none.
LoopReason Observer::reason_by_changes(const Item& item, std::uint64_t word) const {
    const auto lines_of = [&](const auto& sites_of_words) {
        std::set<int> lines;
        if (const auto sites = sites_of_words.find(word); sites != sites_of_words.end())
            for (const std::uint32_t site : sites->second) {
                if (!is_in_loop(item, site))
                    lines.insert(launch_->instructions.line_of_site(site));
            }
        return lines;
    };
    const std::set<int> changes = lines_of(launch_->changed_words);
    std::set<int> keeps = lines_of(launch_->kept_words);
    std::erase_if(keeps, [&](int line) { return changes.contains(line); });
    LoopReason reason;
    const auto add = [&](const std::set<int>& lines, const char* one, const char* several) {
        if (lines.empty())
            return;
        reason.text += (reason.text.empty() ? "" : ", but ") +
                       list_lines({lines.begin(), lines.end()}) +
                       (lines.size() == 1 ? one : several);
        reason.other_line = *lines.rbegin();
    };
    add(changes, " changes it", " change it");
    add(keeps, " leaves it as it is", " leave it as it is");
    return reason;
}

/// The word of global memory that `item` waits for, if it is known why its value is not as it should be.
LoopReason Observer::reason_to_wait(const Item& item, const ir::Instruction& now) const {
    const Poll* poll = launch_->waits.last_poll(item.number);
    constexpr std::uint64_t longest_round = 2000; // instructions; a called function can do the read
    if (poll == nullptr || poll->word >= local_word ||
        !(is_in_loop(item, poll->site) || poll->when + longest_round > item.instructions))
        return {};
    const vm::Address address = poll->word;
    const vm::Memory& memory = launch_->launch.global_memory();
    const ir::Instruction& read = *launch_->instructions.at_site(poll->site);
    const std::size_t size =
        read.type->size == sizeof(std::uint64_t) ? read.type->size : sizeof(std::uint32_t);
    if (launch_->accesses[global_space].races.last_store(ir::buffer_of(address),
                                                         ir::offset_of(address)) != nullptr ||
        !memory.is_valid(address, size))
        return {};
    const std::uint64_t bits = vm::number_at(memory.at(address), size);
    const std::int64_t value = size == sizeof(std::uint32_t) ? static_cast<std::int32_t>(bits)
                                                             : static_cast<std::int64_t>(bits);
    const std::string name = launch_->names.at(memory, address, size, group_, item);
    const auto awaited = awaited_value(item, read, now, value);
    const std::string waits =
        awaited ? "it waits until " + name + " is " + std::to_string(*awaited) + ", but it"
                : "it waits for " + name + ", which";
    LoopReason by_changes = reason_by_changes(item, poll->word);
    if (launch_->changed_words.contains(poll->word)) {
        if (!by_changes.text.empty())
            by_changes.text = waits + " is " + std::to_string(value) + " now; " + by_changes.text;
        return by_changes;
    }
    const std::string instead = changed_instead(item, address);
    const bool starts_taken = value != 0 && instead.empty() && takes_lock(read);
    LoopReason reason{.text =
                          waits + " has been " + std::to_string(value) + " since the launch began"};
    if (!by_changes.text.empty()) {
        reason.text += "; " + by_changes.text;
        reason.other_line = by_changes.other_line;
    } else if (starts_taken) {
        reason.text +=
            ": a lock is free if it is 0, so the host must set it to 0 before the launch";
    } else {
        reason.text += instead;
        reason.question = ". Which work-item should change it, or does the host set a wrong value?";
    }
    return reason;
}

/// An index can leave its row but stay in its variable.
void Observer::check_indices(const Item& item, const ir::Instruction& instruction,
                             const Instruction& known) {
    for (const Instruction::Index& index : known.indices) {
        const std::int64_t value = item.item->operand(index.value).get_signed();
        if (value < 0 || value >= index.length)
            launch_->reports.add_index(item, &instruction, known.action == Action::store, value,
                                       index.length);
    }
}

void Observer::note_jump(Item& item, const ir::Instruction& from, const ir::Block* to) {
    if (const auto again = launch_->loops.jump(from.block, to)) {
        item.rounds.note(item.calls.size(), to, *again);
        ++item.round;
    }
}

/// A hash of the iterations that `item` is in, of the loops around `instruction` and its callers.
std::uint64_t Observer::round_hash(const Item& item, const ir::Instruction& instruction) {
    std::uint64_t hash = 0;
    const ir::Instruction* at = &instruction;
    for (std::size_t depth = item.calls.size() + 1; depth-- > 0;) {
        for (const ir::Block* head : launch_->loops.heads_around(at))
            hash = hash * hash_factor + item.rounds.count(depth, head) + 1;
        if (depth > 0)
            at = item.calls[depth - 1];
    }
    return hash;
}

/// Whether `condition`, which has just been computed, compares a value that is NaN.
bool Observer::compares_nan(const Item& item, const ir::Value* condition) {
    const ir::Instruction* compared = ir::as(condition, ir::Opcode::fcmp);
    return compared != nullptr &&
           std::ranges::any_of(compared->operands, [&](const ir::Value* value) {
               return std::isnan(vm::get_float(item.item->operand(value), 0));
           });
}

void Observer::on_branch(Item& item, const ir::Instruction& instruction, std::uint32_t site) {
    const ir::Value* condition = instruction.operands[0];
    const std::uint64_t value = item.item->operand(condition).get_unsigned();
    const bool is_branch = instruction.opcode == ir::Opcode::branch;
    const bool taken = is_branch ? (value & 1U) != 0 : value != 0;
    launch_->work.branch(site, taken);
    if (item.instructions >= item.patience.budget() && compares_nan(item, condition))
        item.nan_line = line_of(&instruction);
    item.path.push_back(2 * site + (taken ? 1 : 0));
    if (is_branch)
        note_jump(item, instruction, instruction.successors[taken ? 0 : 1]);
    if (const auto undefined = item.values.of(condition))
        launch_->reports.add_undefined(item, *undefined, line_of(&instruction),
                                       UseOfUndefined::condition);
}

void Observer::on_plain_store(Item& item, const ir::Instruction& instruction) {
    const ir::Value* pointer = instruction.operands[1];
    if (const auto address = item.values.of(pointer))
        launch_->reports.add_undefined(item, *address, line_of(&instruction),
                                       UseOfUndefined::address);
    store_undefined(item, instruction, instruction.operands[0], pointer->type->space,
                    item.item->operand(pointer).get_address());
}

/// vstoren(data, offset, pointer): the offset counts vectors of n elements.
void Observer::on_vector_store(Item& item, const ir::Instruction& call) {
    const ir::Value* data = call.operands[0];
    const ir::Value* pointer = call.operands[2];
    const std::uint64_t vector = item.item->operand(call.operands[1]).get_unsigned();
    store_undefined(item, call, data, pointer->type->space,
                    item.item->operand(pointer).get_address() + vector * data->type->value_size());
}

/// `value` has been stored: its uninitialized bytes make the memory undefined, or a result.
void Observer::store_undefined(Item& item, const ir::Instruction& instruction,
                               const ir::Value* value, unsigned space, vm::Address address) {
    const auto undefined = item.values.of(value);
    if (!undefined)
        return;
    const std::size_t bytes = value->type->value_size();
    switch (space) {
    case ir::private_space:
        item.values.mark_private(ir::buffer_of(address), ir::offset_of(address), bytes, *undefined);
        break;
    case ir::local_space: {
        const std::uint32_t buffer = ir::buffer_of(address);
        if (buffer < local_bytes_.size()) {
            local_bytes_[buffer].mark(ir::offset_of(address), bytes, undefined->bytes);
            Origin origin = undefined->origin;
            if (!origin.item)
                origin.item = item.number;
            local_origins_.note(address, bytes, origin);
        }
        break;
    }
    default:
        // Lanes that do not matter may stay uninitialized.
        if (bytes >= 64 || undefined->bytes == (std::uint64_t{1} << bytes) - 1)
            launch_->reports.add_undefined(item, *undefined, line_of(&instruction),
                                           UseOfUndefined::result);
    }
}

/// Copies of structs: what is undefined in the source is undefined in the target.
void Observer::on_structure_copied(Item& item, const ir::Instruction& call) {
    if (call.callee->plain_name.starts_with("llvm.memset"))
        return;
    const auto shadow = [&](unsigned space, vm::Address address) -> DefinedBytes* {
        const std::uint32_t buffer = ir::buffer_of(address);
        if (space == ir::private_space)
            return item.values.bytes(buffer);
        return space == ir::local_space && buffer < local_bytes_.size() ? &local_bytes_[buffer]
                                                                        : nullptr;
    };
    const vm::Address target = item.item->operand(call.operands[0]).get_address();
    const vm::Address source = item.item->operand(call.operands[1]).get_address();
    const std::uint64_t size = item.item->operand(call.operands[2]).get_unsigned();
    DefinedBytes* to = shadow(call.operands[0]->type->space, target);
    const DefinedBytes* from = shadow(call.operands[1]->type->space, source);
    if (from != nullptr && to != nullptr)
        to->copy(ir::offset_of(target), *from, ir::offset_of(source), size);
}

void Observer::on_call(Item& item, const ir::Instruction& call) {
    item.values.on_call(item.item, &call);
    item.calls.push_back(&call);
}

void Observer::on_return(Item& item, const ir::Instruction& instruction) {
    if (item.calls.empty())
        return;
    item.values.on_return(&instruction, item.calls.back());
    item.rounds.leave(item.calls.size());
    item.calls.pop_back();
}

} // namespace labgrind
