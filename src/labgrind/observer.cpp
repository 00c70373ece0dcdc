#include "labgrind/observer.hpp"

#include "labgrind/instructions.hpp"
#include "labgrind/locks.hpp"
#include "labgrind/loops.hpp"
#include "labgrind/names.hpp"
#include "labgrind/reports.hpp"
#include "labgrind/waits.hpp"
#include "labgrind/work.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace labgrind {
namespace {

/// The first number of a word of local memory.
constexpr std::uint64_t local_word = std::uint64_t{1} << 63;

/// A group that has met this often in a launch on a small input is endless, and so is one that has
/// met often and takes long.
constexpr std::size_t most_barriers = 12'000;
constexpr std::size_t many_barriers = 256;

/// A launch with so many accesses outside its buffers uses wrong indices in loops that may take long.
constexpr std::size_t most_strays = 100'000;

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

/// A hash of the calls that led to where `item` is.
std::uint64_t call_hash(const Item& item) {
    std::uint64_t hash = 0;
    for (const ir::Instruction* call : item.calls)
        hash = hash * hash_factor + call->number + 1;
    return hash;
}

/// The bytes of whole words at `bytes` that nothing has written, one bit each.
std::uint64_t unwritten_bytes(const std::byte* bytes, std::size_t size) {
    constexpr std::size_t word = sizeof(std::uint32_t);
    constexpr std::uint64_t mask = (std::uint64_t{1} << word) - 1;
    std::uint64_t unwritten = 0;
    for (std::size_t at = 0; at + word <= std::min<std::size_t>(size, 64); at += word) {
        if (is_unwritten(vm::number_at(bytes + at, word), word)) // NOLINT(*-pointer-arithmetic)
            unwritten |= mask << at;
    }
    return unwritten;
}

} // namespace

Observer::Observer() = default;
Observer::~Observer() = default;

/// The state of one launch.
struct Observer::Launch {
    Launch(vm::Launch& one, const Group& group, wire::WorkCounts& counts, RunOptions how)
        : launch(one), group_size(static_cast<std::uint32_t>(vm::volume(one.group_size))),
          options(std::move(how)), instructions(one.module()),
          constants(one.module().constant_buffers()),
          may_change_atomically(one.module().has_atomics()), work(counts, bytes_by_value(one)),
          names(one), reports(names, instructions, local_races, locks, swaps, group, counts.kernel,
                              may_change_atomically) {}

    /// By item and word.
    using ItemWord = std::pair<std::uint32_t, std::uint64_t>;

    vm::Launch& launch;
    std::uint32_t group_size;
    RunOptions options;
    Instructions instructions;
    std::set<std::uint32_t> constants; ///< buffers that hold only the program's constants
    bool may_change_atomically;        ///< the program has atomic operations
    Loops loops;
    Order global_order;
    Order local_order;
    Races global_races;
    Races local_races;
    Locks locks;
    Swaps swaps;
    Waits waits;
    Work work;
    Names names;
    Reports reports;
    Footprint footprint;
    /// Races between atomic operations and plain loads, by the load's work-item, word and site.
    std::map<std::pair<ItemWord, std::uint32_t>, wire::Finding> load_races;
    std::map<std::uint64_t, vm::Address> local_words; ///< changed atomically, with addresses
    std::map<std::uint64_t, std::uint64_t>
        local_values;       ///< of these words, at the end of their groups
    std::size_t strays = 0; ///< accesses outside memory
    bool any_atomics = false;
    bool global_atomics = false;
    int first_used_result = 0;                       ///< line of an atomic operation
    std::unordered_set<std::uint64_t> changed_words; ///< by atomic operations
    std::set<std::uint32_t> verified_loads; ///< loads (sites) that an atomic operation followed
};

// --- launches, groups, work-items -------------------------------------------------------------------

void Observer::on_launch_begins(vm::Launch& launch) {
    analysis_ = {};
    analysis_.work.kernel = launch.kernel().name;
    analysis_.work.launches = 1;
    group_ = {};
    current_ = nullptr;
    passing_ = nullptr;
    ours_ = false;
    launch_ =
        std::make_unique<Launch>(launch, group_, analysis_.work, std::exchange(next_options_, {}));
}

void Observer::on_launch_ends() {
    if (group_.handle == nullptr || ours_) {
        launch_->reports.add_failed_swaps();
        launch_->reports.add_locks();
        launch_->reports.add_hang(launch_->waits);
    }
    report_load_races(false);
    analysis_.cut_short = ours_;
    const ContendedWords contended = contended_words();
    analysis_.contended_line =
        contended.empty() ? launch_->first_used_result
                          : launch_->instructions.line_of_site(contended.begin()->second.site);
    analysis_.findings = launch_->reports.findings().without_consequences();
    analysis_.unwritten = launch_->reports.unwritten();
    current_ = nullptr;
    group_ = {};
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

bool Observer::uses_atomics() const { return launch_->any_atomics; }

int Observer::first_used_result() const { return launch_->first_used_result; }

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
    launch_->local_order.begin_group(group_.index, group_.first_item, count);
    launch_->global_order.begin_group(group_.index, group_.first_item, count);
    launch_->local_races.clear();
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
    if (!item.path.empty())
        launch_->locks.end(item.number, item.path.back() / 2);
}

Item& Observer::switch_to(const vm::WorkItem& item) {
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

void Observer::on_barrier(vm::Group& /*group*/, std::uint32_t flags) {
    check_divergence();
    const std::size_t met = group_.barriers.size();
    if (met >= most_barriers ||
        (met >= many_barriers && group_.patience.is_over(group_.instructions, 0, 0))) {
        launch_->reports.add_endless_meetings();
        cut_short();
    }
    const ir::Instruction* at = group_.items.front().waits_at;
    const bool is_barrier = at == nullptr || !launch_->instructions.facts_of(at).awaits_copies;
    group_.barriers.push_back({at == nullptr ? 0 : line_of(at), is_barrier});
    if (is_barrier) {
        launch_->local_order.barrier((flags & vm::local_flag) != 0);
        launch_->global_order.barrier((flags & vm::global_flag) != 0);
        launch_->work.barrier();
    } else {
        flags = 0;
    }
    group_.turned_round = false;
    if (std::exchange(group_.copied, false)) {
        launch_->local_order.copies_done();
        launch_->global_order.copies_done();
    }
    for (Item& item : group_.items) {
        item.waits_at = nullptr;
        item.path.clear();
        item.recent_loads.clear();
        item.recent_atomics.clear();
        item.fence_line = 0;
        if ((flags & vm::local_flag) != 0)
            launch_->locks.fence(item.number, local_space, true, true);
        if ((flags & vm::global_flag) != 0)
            launch_->locks.fence(item.number, global_space, true, true);
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

// --- instructions ------------------------------------------------------------------------------------

void Observer::on_executed(vm::WorkItem& work_item, const ir::Instruction& instruction,
                           std::byte* result) {
    Item& item = switch_to(work_item);
    if (launch_->options.last_item_first)
        let_later_ones_pass(item);
    const Instruction& known = launch_->instructions.facts_of(&instruction);
    if (known.additions != 0)
        launch_->work.additions(known.additions);
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
                                           "an address depends on it");
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
        item.waits_from = call_hash(item);
        item.waits_in = round_hash(item, instruction);
        break;
    case Action::fence: {
        const auto flags =
            static_cast<std::uint32_t>(work_item.operand(instruction.operands[0]).get_unsigned());
        if ((flags & vm::local_flag) != 0) {
            launch_->local_order.fence(item.number, known.acquires, known.releases);
            launch_->locks.fence(item.number, local_space, known.acquires, known.releases);
        }
        if ((flags & vm::global_flag) != 0) {
            launch_->global_order.fence(item.number, known.acquires, known.releases);
            launch_->locks.fence(item.number, global_space, known.acquires, known.releases);
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
    if (++item.instructions < item.patience.budget() ||
        !item.patience.is_over(item.instructions, line_of(&instruction), item.calls.size()))
        return;
    launch_->reports.add_endless(item, &instruction, launch_->options, reason_to_wait(item));
    cut_short();
}

/// Why the loop in which `item` is does not end, for messages: nothing has changed the word of global
/// memory that it waits for, or it compares the result of a compare-and-swap with the wrong value. ""
/// if that is not known.
std::string Observer::reason_to_wait(const Item& item) const {
    const auto is_in_loop = [&](std::uint32_t site) {
        const int line = launch_->instructions.line_of_site(site);
        return line >= item.patience.first_line() && line <= item.patience.last_line();
    };
    const auto compares_with_new = [&](std::uint32_t site) {
        return is_in_loop(site) && launch_->instructions.atomic_of_site(site).compared_with_new;
    };
    const std::vector<std::uint32_t> swaps = launch_->swaps.sites();
    if (std::ranges::any_of(swaps, compares_with_new))
        return "it compares the result of the compare-and-swap, which is the old value, with the "
               "new value: compare it with the expected one, the second argument";
    const Poll* poll = launch_->waits.last_poll(item.number);
    constexpr std::uint64_t longest_round = 2000; // instructions; a called function can do the read
    if (poll == nullptr || poll->word >= local_word ||
        !(is_in_loop(poll->site) || poll->when + longest_round > item.instructions))
        return "";
    const vm::Address address = poll->word;
    const vm::Memory& memory = launch_->launch.global_memory();
    constexpr std::size_t size = sizeof(std::uint32_t);
    if (launch_->changed_words.contains(poll->word) ||
        launch_->global_races.last_store(ir::buffer_of(address), ir::offset_of(address)) !=
            nullptr ||
        !memory.is_valid(address, size))
        return "";
    return "it waits for " + launch_->names.at(memory, address, size, group_, item) +
           ", which has been " +
           std::to_string(static_cast<std::int32_t>(vm::number_at(memory.at(address), size))) +
           " since the launch began. Which work-item should change it, or does the host set a "
           "wrong value?";
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

void Observer::on_branch(Item& item, const ir::Instruction& instruction, std::uint32_t site) {
    const ir::Value* condition = instruction.operands[0];
    const std::uint64_t value = item.item->operand(condition).get_unsigned();
    const bool is_branch = instruction.opcode == ir::Opcode::branch;
    const bool taken = is_branch ? (value & 1U) != 0 : value != 0;
    launch_->work.branch(site, taken);
    item.path.push_back(2 * site + (taken ? 1 : 0));
    if (is_branch)
        note_jump(item, instruction, instruction.successors[taken ? 0 : 1]);
    if (const auto undefined = item.values.of(condition))
        launch_->reports.add_undefined(item, *undefined, line_of(&instruction),
                                       "a condition depends on it");
}

void Observer::on_plain_store(Item& item, const ir::Instruction& instruction) {
    const ir::Value* pointer = instruction.operands[1];
    if (const auto address = item.values.of(pointer))
        launch_->reports.add_undefined(item, *address, line_of(&instruction),
                                       "an address depends on it");
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
                                           "a result in global memory depends on it");
    }
}

/// A number for a word: each group has its own local memory, at the same addresses.
std::uint64_t Observer::word_at(bool local, vm::Address address) const {
    if (!local)
        return address;
    return local_word | std::uint64_t{group_.index} << 32 |
           std::uint64_t{ir::buffer_of(address)} << 20 | ir::offset_of(address);
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

/// What Locks needs to know about an access to a word.
AtomicStep Observer::step_of(const Item& item, std::uint32_t site, std::uint64_t word) const {
    const std::uint32_t warps = (launch_->group_size + Work::warp_size - 1) / Work::warp_size;
    AtomicStep step;
    step.item = item.number;
    step.warp = group_.index * warps + item.local / Work::warp_size;
    step.group = group_.index;
    step.phase = static_cast<std::uint32_t>(group_.barriers.size());
    step.site = site;
    step.word = word;
    return step;
}

/// A hash of the calls and loop iterations that have led `item` to `instruction`.
std::uint64_t Observer::context_of(const Item& item, const ir::Instruction& instruction) {
    return call_hash(item) * hash_factor + round_hash(item, instruction);
}

/// `item` reads a word, atomically or by a volatile load: it may be waiting for it.
void Observer::note_poll(const Item& item, const ir::Instruction& instruction,
                         const AtomicStep& step) {
    const std::uint64_t loop = launch_->loops.spin_around(&instruction, item.calls);
    if (loop == 0 || !launch_->loops.is_ended_by(&instruction))
        return;
    launch_->waits.poll({step.item, step.warp, step.phase, step.site, step.word, loop, step.context,
                         item.instructions});
}

void Observer::note_change(const Item& item, const ir::Instruction& instruction,
                           const AtomicStep& step) {
    if (!launch_->waits.concerns(step.item, step.word))
        return;
    launch_->waits.change({step.item, step.phase, step.site, step.word,
                           launch_->loops.enclosing_loops(&instruction, item.calls)});
}

/// An atomic operation checks what plain loads of `item` have read: those that gave the expected value,
/// or else the last ones. A value of 64 bits can be loaded in two halves.
void Observer::note_verified_loads(const Item& item, const Instruction& known, std::uint64_t word,
                                   std::size_t size) {
    for (const ir::Instruction* load : known.atomic.expected)
        launch_->verified_loads.insert(launch_->instructions.facts_of(load).site);
    if (!known.atomic.expected.empty())
        return;
    for (std::size_t half = 0; half < size; half += sizeof(std::uint32_t)) {
        if (const auto load = item.recent_loads.at(word + half))
            launch_->verified_loads.insert(*load);
    }
}

void Observer::on_atomic_executed(Item& item, const ir::Instruction& call, const Instruction& known,
                                  const std::byte* result) {
    const ir::Value* pointer = call.operands[0];
    const vm::Memory& memory = item.item->memory(pointer->type->space);
    const bool local = memory.space() == ir::local_space;
    const vm::Address address = item.item->operand(pointer).get_address();
    const std::size_t size = call.type->size;
    const int line = launch_->instructions.line_of_site(known.site);
    for (const ir::Value* operand : call.operands) {
        if (const auto undefined = item.values.of(operand))
            launch_->reports.add_undefined(item, *undefined, line,
                                           "an atomic operation depends on it");
    }
    if (!memory.is_valid(address, size)) {
        launch_->reports.add_bounds(memory, item, &call, address, size, true);
        launch_->reports.note_lost_atomic();
        return;
    }
    const auto& [compares, exchanges, uses_result, verifies_loads, compared_with_new, expected] =
        known.atomic;
    const auto argument = [&](unsigned index) {
        return item.item->operand(call.operands[index]).get_unsigned();
    };
    AtomicStep step = step_of(item, known.site, word_at(local, address));
    step.before = vm::number_at(result, size);
    step.after = vm::number_at(memory.at(address), size);
    step.writes = !compares || step.before == argument(1);
    if (!local)
        note_swap(item, call, known, step);
    // If the result of an exchange is not used, an earlier look may have decided.
    const auto takes = [&](unsigned index) {
        constexpr std::int64_t least_bits_of_number = 1 << 23; // of a float that is not tiny
        const auto value = item.item->operand(call.operands[index]).get_signed();
        return value != 0 && (std::abs(value) < least_bits_of_number ||
                              call.operands[index]->value_kind == ir::Value::Kind::constant);
    };
    step.tries =
        (compares && argument(1) == 0 && takes(2)) ||
        (exchanges && takes(1) &&
         (uses_result || item.recent_loads.at(step.word) || item.recent_atomics.at(step.word)));
    step.changes = (compares || exchanges) && step.writes;
    if (step.tries)
        step.spin = launch_->loops.spin_around(&call, item.calls);
    const std::uint64_t word = step.word;
    launch_->any_atomics = true;
    if (uses_result && launch_->first_used_result == 0)
        launch_->first_used_result = line;
    launch_->global_atomics = launch_->global_atomics || !local;
    if (launch_->options.contention.was_made_to_fail(step, line))
        step.writes = step.changes = false;
    else
        launch_->options.contention.note_outcome(step, compares, line);
    const std::uint32_t buffer = ir::buffer_of(address);
    if (local && buffer < local_bytes_.size()) {
        const std::uint64_t offset = ir::offset_of(address);
        const std::uint64_t undefined = local_bytes_[buffer].read(offset, size);
        if (undefined != 0 && !exchanges)
            launch_->reports.add_undefined(item, {undefined, {ir::local_space, address, &call}},
                                           line, "an atomic operation depends on it");
        if (step.writes)
            local_bytes_[buffer].write(offset, size);
        if (compares)
            launch_->local_words[word] = address;
    }
    if (!local && !(exchanges && !uses_result) && is_unwritten(step.before, size))
        launch_->reports.add_unwritten(item, line,
                                       launch_->names.at(memory, address, size, group_, item));
    const auto fence_all = [&](bool acquires, bool releases) {
        launch_->local_order.fence(item.number, acquires, releases);
        launch_->global_order.fence(item.number, acquires, releases);
    };
    if (launch_->options.atomics_order)
        fence_all(false, true);
    Access now;
    now.write = step.writes;
    now.atomic = true;
    now.uses_result = uses_result;
    now.resets = step.writes && exchanges && !uses_result && !launch_->locks.is_lock(word);
    now.counts = step.writes && !exchanges && !compares && !uses_result;
    access(memory, item, call, address, size, now, nullptr);
    if (verifies_loads) // otherwise a plain load alone has decided
        note_verified_loads(item, known, word, size);
    const bool changes = step.writes && step.before != step.after;
    launch_->local_order.atomic(item.number, word, uses_result, changes);
    launch_->global_order.atomic(item.number, word, uses_result, changes);
    if (launch_->options.atomics_order)
        fence_all(true, false);
    step.uses_result = uses_result;
    note_step(item, call, std::move(step));
}

/// Notes a compare-and-swap, or an exchange whose result is used.
void Observer::note_swap(const Item& item, const ir::Instruction& call, const Instruction& known,
                         const AtomicStep& step) {
    const bool compares = known.atomic.compares;
    if (!compares && !known.atomic.exchanges)
        return;
    const std::size_t size = call.type->size;
    const auto argument = [&](unsigned index) {
        return item.item->operand(call.operands[index]).get_unsigned();
    };
    const Swap swap{known.site,
                    item.number,
                    step.word,
                    size,
                    compares,
                    compares ? argument(1) : 0,
                    step.before,
                    argument(compares ? 2 : 1),
                    known.atomic.uses_result};
    launch_->swaps.note(swap, launch_->loops.spin_around(&call, item.calls) != 0);
}

/// Notes an atomic operation for the analyses of waits and locks.
void Observer::note_step(Item& item, const ir::Instruction& call, AtomicStep step) {
    step.context = context_of(item, call);
    if (step.uses_result)
        note_poll(item, call, step);
    if (step.writes && step.before != step.after) {
        launch_->changed_words.insert(step.word);
        note_change(item, call, step);
    }
    item.recent_atomics.note(step.word, step.site);
    if (step.after == 0)
        step.enclosing_loops = launch_->loops.enclosing_loops(&call, item.calls);
    launch_->locks.atomic(step);
}

// --- memory -----------------------------------------------------------------------------------------

void Observer::on_load(vm::WorkItem& work_item, vm::Memory& memory, vm::Address address,
                       std::size_t size) {
    Item& item = switch_to(work_item);
    const ir::Instruction& instruction = *work_item.current();
    const std::uint32_t buffer = ir::buffer_of(address);
    const std::uint64_t offset = ir::offset_of(address);
    if (memory.space() != ir::private_space) {
        access(memory, item, instruction, address, size, {}, nullptr);
        if (memory.space() == ir::global_space && memory.is_valid(address, size)) {
            if (const std::uint64_t undefined = unwritten_bytes(memory.at(address), size))
                item.values.on_load(
                    undefined, {ir::global_space, address, &instruction, std::nullopt, undefined});
        } else if (memory.space() == ir::local_space && buffer < local_bytes_.size()) {
            const std::uint64_t undefined = local_bytes_[buffer].read(offset, size);
            if (undefined == 0)
                return;
            const Origin* stored = local_origins_.find(address, undefined);
            item.values.on_load(undefined, stored != nullptr
                                               ? *stored
                                               : Origin{ir::local_space, address, &instruction});
        }
    } else if (memory.is_valid(address, size)) {
        item.values.on_private_load(buffer, address, offset, size, &instruction);
    } else {
        launch_->reports.add_bounds(memory, item, &instruction, address, size, false);
    }
}

void Observer::on_store(vm::WorkItem& work_item, vm::Memory& memory, vm::Address address,
                        std::size_t size, const std::byte* data) {
    Item& item = switch_to(work_item);
    const ir::Instruction& instruction = *work_item.current();
    const std::uint32_t buffer = ir::buffer_of(address);
    const std::uint64_t offset = ir::offset_of(address);
    item.patience.note_store(address, data, size);
    group_.patience.note_store(address, data, size);
    if (memory.space() != ir::private_space) {
        Access store;
        store.write = true;
        access(memory, item, instruction, address, size, store, data);
        if (memory.space() == ir::local_space && buffer < local_bytes_.size()) {
            local_bytes_[buffer].write(offset, size);
        }
    } else if (memory.is_valid(address, size)) {
        item.values.on_private_store(buffer, offset, size);
    } else {
        launch_->reports.add_bounds(memory, item, &instruction, address, size, true);
    }
}

/// An asynchronous copy by the whole group takes place when all work-items wait for it.
void Observer::on_copy(vm::Group& /*group*/, vm::Memory& memory, vm::Address address,
                       vm::CopySize part, bool write) {
    const std::size_t size = part.whole;
    if (!memory.is_valid(address, size)) {
        launch_->reports.add_copy_bounds(memory, address, size, write);
        return;
    }
    const std::uint32_t buffer = ir::buffer_of(address);
    const std::uint64_t offset = ir::offset_of(address);
    const bool local = memory.space() == ir::local_space;
    if (local && write && buffer < local_bytes_.size())
        local_bytes_[buffer].write(offset, size);
    if (!local && !write)
        launch_->work.copy(buffer, offset, size, part.element);
    const Item& any = group_.items.front();
    if (!local && any.waits_at != nullptr)
        note_use(any, *any.waits_at, address, size,
                 write ? Footprint::How::write : Footprint::How::read);
    if (group_.items.size() == 1 || any.waits_at == nullptr)
        return; // there is no other work-item
    const Order& order = local ? launch_->local_order : launch_->global_order;
    group_.copied = true;
    Access now;
    now.epoch = order.epoch(copies + group_.index);
    now.barriers = static_cast<std::uint32_t>(group_.barriers.size());
    now.site = launch_->instructions.facts_of(any.waits_at).site;
    now.offset = static_cast<std::uint32_t>(offset);
    now.write = write;
    Races& races = local ? launch_->local_races : launch_->global_races;
    const auto conflict = races.access(order, buffer, offset, size, now, false);
    if (conflict)
        launch_->reports.add(launch_->reports.race(
            conflict->earlier, now, launch_->names.at(memory, address, size, group_, any), local));
}

void Observer::access(const vm::Memory& memory, Item& item, const ir::Instruction& instruction,
                      vm::Address address, std::size_t size, Access now, const std::byte* data) {
    const bool write = now.write;
    const bool atomic = now.atomic;
    if (!memory.is_valid(address, size)) {
        launch_->reports.add_bounds(memory, item, &instruction, address, size, write);
        if (++launch_->strays > most_strays)
            cut_short();
        return;
    }
    const bool local = memory.space() == ir::local_space;
    const std::uint32_t buffer = ir::buffer_of(address);
    const std::uint64_t offset = ir::offset_of(address);
    if (!local && write)
        launch_->constants.erase(buffer); // no longer constant
    if (!local && launch_->constants.contains(buffer))
        return; // tables and printf's formats are no data and do not change
    const Instruction& known = launch_->instructions.facts_of(&instruction);
    const Order& order = local ? launch_->local_order : launch_->global_order;
    const std::uint64_t word = word_at(local, address);
    if (!local)
        note_use(item, instruction, address, size,
                 atomic  ? Footprint::How::atomic
                 : write ? Footprint::How::write
                         : Footprint::How::read);

    now.epoch = order.epoch(item.number);
    now.barriers = static_cast<std::uint32_t>(group_.barriers.size());
    now.round = item.round;
    now.site = known.site;
    now.offset = static_cast<std::uint32_t>(offset);
    now.hold = launch_->locks.held_by(item.number);
    bool same_value = false;
    if (write && !atomic) {
        same_value = std::memcmp(memory.at(address), data, size) == 0;
        if (!same_value)
            note_change(item, instruction, step_of(item, known.site, word));
        if ((size == 4 || size == 8) && launch_->locks.is_known(word)) {
            now.unlocks = launch_->locks.holds(item.number, word);
            AtomicStep step = step_of(item, known.site, word);
            step.after = vm::number_at(data, size);
            step.enclosing_loops = launch_->loops.enclosing_loops(&instruction, item.calls);
            launch_->locks.store(step);
        }
    }
    Races& races = local ? launch_->local_races : launch_->global_races;
    const bool volatile_load = instruction.opcode == ir::Opcode::load && instruction.is_volatile;
    now.polls = volatile_load && !launch_->loops.around(&instruction, item.calls).empty() &&
                launch_->loops.is_ended_by(&instruction);
    if (!write && !atomic && launch_->may_change_atomically) {
        item.recent_loads.note(word, known.site);
        now.after_atomic = item.recent_atomics.at(word).has_value();
    }
    now.waits = instruction.opcode == ir::Opcode::load && !volatile_load &&
                launch_->loops.only_waits_around(&instruction);
    if (now.polls) {
        AtomicStep step = step_of(item, known.site, word);
        step.context = context_of(item, instruction);
        note_poll(item, instruction, step);
    }
    const auto conflict = races.access(order, buffer, offset, size, now, same_value);
    // A volatile load of a word that others change atomically sees one of their values.
    if (volatile_load) {
        launch_->local_order.atomic(item.number, word, true, false);
        launch_->global_order.atomic(item.number, word, true, false);
    }
    if (conflict)
        on_conflict(*conflict, now, word, launch_->names.at(memory, address, size, group_, item),
                    local);
    if (atomic) {
        launch_->work.atomic(local, buffer, offset, size, known.takes_data);
        return;
    }
    if (local)
        launch_->work.local_access(known.site, write, buffer, offset, size);
    else
        launch_->work.global_access(known.site, write, buffer, offset, size);
    launch_->locks.touch(item.number, local ? local_space : global_space);
}

/// Records an access to global memory, and reports it if the flags of the buffer forbid it.
void Observer::note_use(const Item& item, const ir::Instruction& instruction, vm::Address address,
                        std::size_t size, Footprint::How how) {
    const std::uint32_t buffer = ir::buffer_of(address);
    launch_->footprint.note(buffer, ir::offset_of(address), size, how);
    const bool is_read = how != Footprint::How::write && write_only_.contains(buffer);
    const bool is_written = how != Footprint::How::read && read_only_.contains(buffer);
    if (!is_read && !is_written)
        return;
    const std::string name =
        launch_->names.at(launch_->launch.global_memory(), address, size, group_, item);
    if (is_read)
        launch_->reports.add_forbidden_read(line_of(&instruction), name);
    else
        launch_->reports.add_forbidden_write(line_of(&instruction), name);
}

void Observer::on_atomic(vm::WorkItem& work_item, vm::Memory& memory, vm::Address address,
                         std::size_t size) {
    const std::uint64_t word = word_at(memory.space() == ir::local_space, address);
    if (!launch_->options.contention.concerns(word))
        return;
    Item& item = switch_to(work_item);
    launch_->options.contention.begin(launch_->instructions.facts_of(work_item.current()).atomic,
                                      memory, word, address, size, group_, item);
}

// --- conflicts ----------------------------------------------------------------------------------------

void Observer::on_conflict(const Conflict& conflict, const Access& now, std::uint64_t word,
                           const std::string& name, bool local) {
    const Access& earlier = conflict.earlier;
    if (launch_->locks.is_lock(word) && (earlier.unlocks || now.unlocks))
        return; // reported at the end
    if (launch_->reports.add_fences(earlier, now, local))
        return;
    const auto with_role = [&](Access access) {
        const ir::Instruction* source = launch_->instructions.at_site(access.site);
        access.decides = source->opcode == ir::Opcode::load && !source->is_volatile &&
                         launch_->loops.is_ended_by(source);
        return access;
    };
    wire::Finding race =
        earlier.atomic == now.atomic
            ? launch_->reports.race(earlier, now, name, local)
            : launch_->reports.race(with_role(earlier), with_role(now), name, local);
    const Access& load = earlier.write ? now : earlier;
    if (load.waits)
        race.message +=
            "; the loop waits with a load that is not volatile, so the compiler may load "
            "once and wait forever";
    if (!conflict.is_load_race || load.waits) {
        launch_->reports.add(race);
        return;
    }
    if (race.kind == wire::FindingKind::data_race) {
        if (now.atomic) // the plain load is the mistake
            std::swap(race.line, race.other_line);
        if (!launch_->instructions.atomic_of_site((now.atomic ? now : earlier).site)
                 .expected.empty())
            race.message += "; the compare-and-swap checks the value that it expects, but not what "
                            "this load reads: compute the new value from the expected one";
        else if (load.after_atomic)
            race.message += "; the atomic operation before the read returns the value: use that";
    }
    launch_->load_races.emplace(std::make_pair(Launch::ItemWord{load.epoch.item, word}, load.site),
                                race);
}

/// Reports plain loads of words that others change atomically, except a first look that an atomic
/// operation verifies later.
void Observer::report_load_races(bool local) {
    for (auto peek = launch_->load_races.begin(); peek != launch_->load_races.end();) {
        const auto& [who_and_where, site] = peek->first;
        if ((who_and_where.second >= local_word) != local) {
            ++peek;
            continue;
        }
        if (!launch_->verified_loads.contains(site))
            launch_->reports.add(peek->second);
        peek = launch_->load_races.erase(peek);
    }
}

} // namespace labgrind
