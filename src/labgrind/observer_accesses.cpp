#include "labgrind/observed_launch.hpp"
#include "labgrind/observer.hpp"

#include <cstring>
#include <optional>
#include <utility>

namespace labgrind {
namespace {

/// A launch with so many accesses outside its buffers uses wrong indices in loops that may take long.
constexpr std::size_t most_strays = 100'000;

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

/// A number for a word: each group has its own local memory, at the same addresses.
std::uint64_t Observer::word_at(bool local, vm::Address address) const {
    if (!local)
        return address;
    return local_word | std::uint64_t{group_.index} << 32 |
           std::uint64_t{ir::buffer_of(address)} << 20 | ir::offset_of(address);
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
    return item.call_hash() * hash_factor + round_hash(item, instruction);
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
                                           UseOfUndefined::atomic_operation);
    }
    if (!memory.is_valid(address, size)) {
        launch_->reports.add_bounds(memory, item, &call, address, size, true);
        launch_->reports.note_lost_atomic();
        return;
    }
    if (ir::offset_of(address) % size != 0)
        launch_->reports.add_misaligned(memory, item, *call.type, address, size, true);
    launch_->any_atomics = true;
    launch_->global_atomics = launch_->global_atomics || !local;

    AtomicStep step = atomic_step_of(item, call, known, word_at(local, address));
    step.before = vm::number_at(result, size);
    step.after = vm::number_at(memory.at(address), size);
    step.writes = !known.atomic.compares ||
                  step.before == item.item->operand(call.operands[1]).get_unsigned();
    step.changes = (known.atomic.compares || known.atomic.exchanges) && step.writes;
    if (!local)
        note_swap(item, call, known, step);
    if (launch_->options.contention.concerns(step.word))
        step.loops_around = launch_->loops.heads_around(&call);
    if (launch_->options.contention.was_made_to_fail(step, line))
        step.writes = step.changes = false;
    else
        launch_->options.contention.note_outcome(step, known.atomic.compares, line);
    if (local)
        note_local_atomic(item, call, known, step, address);
    else if (is_unwritten(step.before, size) &&
             (!known.atomic.exchanges || known.atomic.uses_result))
        launch_->reports.add_unwritten(item, line,
                                       launch_->names.at(memory, address, size, group_, item),
                                       known.atomic.uses_result);
    order_atomic(memory, item, call, known, step, address);
    note_step(item, call, std::move(step));
}

/// What the arguments of an atomic operation say about it.
AtomicStep Observer::atomic_step_of(const Item& item, const ir::Instruction& call,
                                    const Instruction& known, std::uint64_t word) {
    AtomicStep step = step_of(item, known.site, word);
    step.uses_result = known.atomic.uses_result;
    const auto takes = [&](unsigned index) {
        constexpr std::int64_t least_bits_of_number = 1 << 23; // of a float that is not tiny
        const auto value = item.item->operand(call.operands[index]).get_signed();
        return value != 0 && (std::abs(value) < least_bits_of_number ||
                              call.operands[index]->value_kind == ir::Value::Kind::constant);
    };
    if (known.atomic.compares)
        step.tries = item.item->operand(call.operands[1]).get_unsigned() == 0 && takes(2);
    else if (known.atomic.exchanges && takes(1)) {
        // If the result of an exchange is not used, an earlier look may have decided.
        const auto atomic = item.recent_atomics.at(word);
        step.tries = step.uses_result || item.recent_loads.at(word) ||
                     (atomic && launch_->instructions.atomic_of_site(*atomic).uses_result);
    }
    if (step.tries)
        step.spin = launch_->loops.spin_around(&call, item.calls);
    return step;
}

/// Notes what an atomic operation on local memory reads and defines.
void Observer::note_local_atomic(Item& item, const ir::Instruction& call, const Instruction& known,
                                 const AtomicStep& step, vm::Address address) {
    const std::uint32_t buffer = ir::buffer_of(address);
    if (buffer >= local_bytes_.size())
        return;
    const std::uint64_t offset = ir::offset_of(address);
    const std::uint64_t undefined = local_bytes_[buffer].read(offset, call.type->size);
    if (undefined != 0 && !known.atomic.exchanges)
        launch_->reports.add_undefined(item, {undefined, {ir::local_space, address, &call}},
                                       launch_->instructions.line_of_site(known.site),
                                       UseOfUndefined::atomic_operation);
    if (step.writes)
        local_bytes_[buffer].write(offset, call.type->size);
    if (known.atomic.compares)
        launch_->local_words[step.word] = address;
}

void Observer::fence_all(const Item& item, bool acquires, bool releases) {
    for (auto& space : launch_->accesses)
        space.order.fence(item.number, acquires, releases);
}

/// Puts an atomic operation into the order of accesses.
void Observer::order_atomic(const vm::Memory& memory, Item& item, const ir::Instruction& call,
                            const Instruction& known, const AtomicStep& step, vm::Address address) {
    const auto& atomic = known.atomic;
    if (launch_->options.atomics_release)
        fence_all(item, false, true);
    Access now;
    now.write = step.writes;
    now.atomic = true;
    now.uses_result = step.uses_result;
    now.resets =
        step.writes && atomic.exchanges && !step.uses_result && !launch_->locks.is_lock(step.word);
    now.counts = step.writes && !atomic.exchanges && !atomic.compares && !step.uses_result;
    access(memory, item, call, address, call.type->size, now, nullptr);
    if (atomic.verifies_loads) // otherwise a plain load alone has decided
        note_verified_loads(item, known, step.word, call.type->size);
    const bool changes = step.writes && step.before != step.after;
    for (auto& space : launch_->accesses)
        space.order.atomic(item.number, step.word, step.uses_result, changes);
    if (launch_->options.atomics_acquire)
        fence_all(item, true, false);
}

/// A volatile load of a word that others change atomically sees one of their values.
void Observer::order_volatile_load(const Item& item, std::uint64_t word) {
    for (auto& space : launch_->accesses)
        space.order.atomic(item.number, word, true, false);
    if (launch_->options.atomics_acquire)
        fence_all(item, true, false);
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
        launch_->changed_words[step.word].insert(step.site);
        launch_->atomic_changes.emplace(item.number, step.word);
        note_change(item, call, step);
    } else if (!step.uses_result) {
        launch_->kept_words[step.word].insert(step.site);
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
    check_alignment(memory, item, instruction, address, size, false);
    if (memory.space() != ir::private_space) {
        access(memory, item, instruction, address, size, {}, nullptr);
        if (memory.space() == ir::global_space && memory.is_valid(address, size)) {
            if (const std::uint64_t undefined = unwritten_bytes(memory.at(address), size))
                item.values.on_undefined(
                    undefined, {ir::global_space, address, &instruction, std::nullopt, undefined});
        } else if (memory.space() == ir::local_space && buffer < local_bytes_.size()) {
            const std::uint64_t undefined = local_bytes_[buffer].read(offset, size);
            if (undefined == 0)
                return;
            const Origin* stored = local_origins_.find(address, undefined);
            item.values.on_undefined(
                undefined,
                stored != nullptr ? *stored : Origin{ir::local_space, address, &instruction});
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
    check_alignment(memory, item, instruction, address, size, true);
    item.patience.note_store(address, data, size);
    group_.patience.note_store(address, data, size);
    if (memory.space() != ir::private_space) {
        Access store;
        store.write = true;
        access(memory, item, instruction, address, size, store, data);
        if (memory.space() == ir::local_space && buffer < local_bytes_.size()) {
            if (local_bytes_[buffer].read(offset, size) != 0)
                group_.first_stores.note(
                    address, size, {launch_->instructions.facts_of(&instruction).site, item.local});
            local_bytes_[buffer].write(offset, size);
        }
    } else if (memory.is_valid(address, size)) {
        item.values.on_private_store(buffer, offset, size);
    } else {
        launch_->reports.add_bounds(memory, item, &instruction, address, size, true);
    }
}

/// An asynchronous copy by the whole group takes place when all work-items wait for it.
void Observer::on_copy(vm::Group& group, vm::Memory& memory, vm::Address address, vm::CopySize part,
                       bool write) {
    enter(group);
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
    auto& [order, races] = launch_->accesses[local ? local_space : global_space];
    group_.copied = true;
    Access now;
    now.epoch = order.epoch(copies + group_.index);
    now.barriers = static_cast<std::uint32_t>(group_.barriers.size());
    now.site = launch_->instructions.facts_of(any.waits_at).site;
    now.offset = static_cast<std::uint32_t>(offset);
    now.write = write;
    const auto conflict = races.access(order, buffer, offset, size, now, false);
    if (conflict)
        launch_->reports.add(launch_->reports.race(
            conflict->earlier, now, launch_->names.at(memory, address, size, group_, any), local));
}

void Observer::check_alignment(const vm::Memory& memory, const Item& item,
                               const ir::Instruction& instruction, vm::Address address,
                               std::size_t size, bool write) {
    const std::uint64_t offset = ir::offset_of(address);
    if (offset % instruction.alignment == 0)
        return;
    const ir::Type& type = write ? *instruction.operands[0]->type : *instruction.type;
    // For a lane, clang states the alignment of the vector.
    const std::size_t alignment = std::min<std::size_t>(instruction.alignment, type.alignment);
    if (offset % alignment != 0 && memory.is_valid(address, size))
        launch_->reports.add_misaligned(memory, item, type, address, alignment, write);
}

/// Notes who uses the words that atomic operations change.
void Observer::note_shared(const Item& item, const ir::Instruction& instruction, std::uint64_t word,
                           bool local, bool atomic) {
    if (atomic || (instruction.is_volatile && launch_->may_change_atomically))
        launch_->shared_words.visit(word, local ? group_.first_item : 0, item.number, atomic);
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
    auto& [order, races] = launch_->accesses[local ? local_space : global_space];
    const std::uint64_t word = word_at(local, address);
    note_shared(item, instruction, word, local, atomic);
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
    if (now.hold != 0 && !atomic)
        note_under_lock(memory, item, address, size, now);
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
    if (volatile_load)
        order_volatile_load(item, word);
    if (conflict)
        on_conflict(*conflict, now, word, launch_->names.at(memory, address, size, group_, item),
                    local ? "" : launch_->names.shared_by(buffer), local);
    if (atomic) {
        launch_->work.atomic(local, buffer, offset, size, known.takes_data);
        return;
    }
    if (local)
        launch_->work.local_access(known.site, write, buffer, offset, size);
    else
        launch_->work.global_access(known.site, write, buffer, offset, size, instruction.line);
    launch_->locks.touch(item.number, local ? local_space : global_space);
}

/// Records an access to global memory, and reports it if the flags of the buffer forbid it.
void Observer::note_use(const Item& item, const ir::Instruction& instruction, vm::Address address,
                        std::size_t size, Footprint::How how) {
    const std::uint32_t buffer = ir::buffer_of(address);
    launch_->footprint.note(buffer, ir::offset_of(address), size, how);
    launch_->group_parts.note(buffer, group_.index, ir::offset_of(address), size);
    const bool is_read = how != Footprint::How::write && write_only_.contains(buffer);
    const bool is_written = how != Footprint::How::read && read_only_.contains(buffer);
    if (!is_read && !is_written)
        return;
    launch_->reports.add_forbidden(item, launch_->launch.global_memory(), line_of(&instruction),
                                   address, size, !is_read);
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
                           const std::string& name, const std::string& parameters, bool local) {
    const Access& earlier = conflict.earlier;
    if (launch_->locks.is_lock(word) && (earlier.unlocks || now.unlocks))
        return; // reported at the end
    if (launch_->reports.add_fences(earlier, now, local))
        return;
    Access later = now;
    later.lacks_fence = earlier.write && !now.write && !now.polls &&
                        launch_->accesses[local ? local_space : global_space].order.lacks_acquire(
                            earlier.epoch, now.epoch.item);
    const auto with_role = [&](Access access) {
        const ir::Instruction* source = launch_->instructions.at_site(access.site);
        access.decides = source->opcode == ir::Opcode::load && !source->is_volatile &&
                         launch_->loops.is_ended_by(source);
        return access;
    };
    wire::Finding race =
        earlier.atomic == now.atomic
            ? launch_->reports.race(earlier, later, name, local)
            : launch_->reports.race(with_role(earlier), with_role(later), name, local);
    if (!parameters.empty())
        race.explanation +=
            "; the host passes one buffer as " + parameters + ": should they be different buffers?";
    const Access& load = earlier.write ? now : earlier;
    if (load.waits)
        race.explanation +=
            "; the loop waits with a load that is not volatile, so the compiler may load "
            "once and wait forever";
    if (!conflict.is_load_race || load.waits) {
        launch_->reports.add(race);
        if (earlier.epoch.group != now.epoch.group && !local)
            note_race_of_parts(race, word);
        return;
    }
    if (race.kind == wire::FindingKind::data_race) {
        if (now.atomic) // the plain load is the mistake
            std::swap(race.line, race.other_line);
        if (load.after_atomic)
            race.explanation +=
                "; the atomic operation before the read returns the value: use that";
    }
    launch_->load_races.emplace(std::make_pair(Launch::ItemWord{load.epoch.item, word}, load.site),
                                race);
}

/// Notes a read under a lock, or a write of what was read when the work-item held a lock before.
void Observer::note_under_lock(const vm::Memory& memory, const Item& item, vm::Address address,
                               std::size_t size, const Access& now) {
    const std::pair key(item.number, word_at(memory.space() == ir::local_space, address));
    if (!now.write) {
        launch_->reads_under_lock[key] = now;
        return;
    }
    const auto read = launch_->reads_under_lock.find(key);
    if (read != launch_->reads_under_lock.end() && read->second.hold != now.hold &&
        !launch_->split_update)
        launch_->split_update = {read->second, now,
                                 launch_->names.at(memory, address, size, group_, item)};
}

AtomicMistake Observer::split_update() const {
    if (!launch_->split_update)
        return {};
    const auto& [read, write, name] = *launch_->split_update;
    const std::uint64_t lock = launch_->locks.hold(read.hold).word;
    if (lock != launch_->locks.hold(write.hold).word || !launch_->locks.is_lock(lock))
        return {};
    const int read_line = launch_->instructions.line_of_site(read.site);
    const int write_line = launch_->instructions.line_of_site(write.site);
    return {.text = "line " + std::to_string(read_line) + " reads " + name +
                    " under the lock, but line " + std::to_string(write_line) +
                    " writes it after the lock has been released and taken again, so changes in "
                    "between are lost: hold the lock from the read to the write",
            .line = write_line,
            .other_line = read_line};
}

/// Notes a race between groups, one for each pair of lines.
void Observer::note_race_of_parts(const wire::Finding& race, std::uint64_t word) {
    const std::uint32_t buffer = ir::buffer_of(word);
    if (std::ranges::none_of(launch_->races_of_parts, [&](const auto& known) {
            return known.race.line == race.line && known.race.other_line == race.other_line;
        }))
        launch_->races_of_parts.push_back(
            {race, buffer,
             launch_->names.variable(ir::global_space, buffer, group_, group_.items.front())});
}

/// Explains races between groups that use overlapping parts of a buffer.
void Observer::explain_races_of_parts() {
    for (const Launch::RaceOfParts& one : launch_->races_of_parts) {
        const auto overlap = launch_->group_parts.overlap(one.buffer);
        const std::size_t element = one.variable.element_size;
        if (overlap && element != 0 && overlap->distance % element == 0)
            launch_->reports.explain_overlap(one.race, one.variable.name, overlap->length / element,
                                             overlap->distance / element);
    }
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
        // A volatile load outside of loops that decides what comes next sees the value before or after
        // the change, and the schedules show if one of them is wrong.
        const ir::Instruction& load = *launch_->instructions.at_site(site);
        const bool only_looks = load.opcode == ir::Opcode::load && load.is_volatile &&
                                decides_branch(load) &&
                                launch_->loops.heads_around(&load).empty() &&
                                !launch_->atomic_changes.contains(who_and_where);
        if (!launch_->verified_loads.contains(site) && !only_looks)
            launch_->reports.add(peek->second);
        peek = launch_->load_races.erase(peek);
    }
}

} // namespace labgrind
