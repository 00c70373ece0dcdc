#include "labgrind/vm/vm.hpp"

#include "labgrind/vm/execution.hpp"

#include <algorithm>

namespace labgrind::vm {

Address Memory::allocate(std::size_t size, std::byte filling) {
    constexpr std::size_t most = 0xffff;
    if (pieces_.size() >= most)
        throw Stuck("a work-item has more than " + std::to_string(most) +
                    " variables: do functions call each other endlessly?");
    if (size > most_bytes_ || bytes_.size() > most_bytes_ - size)
        throw Stuck("the kernel's variables take more than " + std::to_string(most_bytes_) +
                    " bytes of " + (space_ == ir::private_space ? "private" : "local") + " memory");
    pieces_.push_back({bytes_.size(), size});
    bytes_.resize(bytes_.size() + size, filling);
    return ir::address_of(static_cast<std::uint32_t>(pieces_.size()));
}

Memory constants_of(const ir::Module& module) {
    Memory global_memory(ir::global_space);
    for (const ir::Global* global : module.globals()) {
        if (global->space == ir::local_space)
            continue;
        const Address address = global_memory.allocate(global->value_type->size);
        std::ranges::copy(global->initial, global_memory.at(address));
    }
    return global_memory;
}

// --- launches and groups ----------------------------------------------------------------------------

Launch::Launch(const ir::Module& module, const ir::Function& kernel, Memory& global_memory,
               std::vector<Given> arguments, Watcher& watcher)
    : module_(&module), kernel_(&kernel), global_memory_(&global_memory),
      arguments_(std::move(arguments)), watcher_(&watcher), builtins_(module.functions().size()) {}

void Launch::run(const std::vector<std::size_t>& groups) {
    for (const std::size_t number : groups)
        Group(*this, number).run();
}

void Launch::note_stray(const WorkItem& item, Address address, bool writes) {
    if (!stray_)
        stray_ = Stray{item.number_in_launch(), item.current(), address, writes};
}

Builtin Launch::find_builtin(const ir::Function& function) {
    Builtin builtin{find_pure(function), nullptr};
    if (!builtin.pure)
        builtin.execute = Execution::find(function.plain_name);
    return builtin;
}

Group::Group(Launch& launch, std::size_t number)
    : launch_(&launch), number_(number), id_(position(number, launch.group_counts())) {
    // NaNs reveal reads of uninitialized memory; zeros are often the intended value.
    constexpr std::byte garbage{0xff};
    for (const ir::Global* global : launch.module().globals()) {
        if (global->space == ir::local_space)
            local_memory_.allocate(global->value_type->size, garbage);
    }
    for (const Given& given : launch.arguments()) {
        if (given.local_size != 0)
            local_memory_.allocate(given.local_size, garbage);
    }
    const std::size_t count = volume(launch.group_size);
    items_.reserve(count);
    for (std::size_t item = 0; item < count; ++item)
        items_.emplace_back(*this, item);
}

void Group::run() {
    launch_->watcher().on_group_begins(*this);
    for (;;) {
        if (launch_->in_lock_step)
            run_in_lock_step();
        else
            run_in_turn();
        if (std::ranges::none_of(items_, [](const WorkItem& item) {
                return item.state() == WorkItem::State::waits;
            }))
            break;
        meet();
    }
    launch_->watcher().on_group_ends(*this);
}

/// Runs the work-items one after the other, each to its next barrier or its end.
void Group::run_in_turn() {
    for (WorkItem& item : items_) {
        while (item.state() == WorkItem::State::ready)
            item.step();
    }
}

/// Runs all work-items to the next barrier or their end; at each step, those that are furthest
/// behind execute one instruction.
void Group::run_in_lock_step() {
    std::vector<WorkItem*> last;
    for (;;) {
        last.clear();
        std::size_t ahead = 0;
        for (WorkItem& item : items_) {
            if (item.state() != WorkItem::State::ready)
                continue;
            const int lag = last.empty() ? 0 : item.lag_to(*last.front());
            if (lag > 0) {
                ahead += last.size();
                last.clear();
            }
            if (lag >= 0)
                last.push_back(&item);
            else
                ++ahead;
        }
        if (last.empty())
            return;
        do {
            for (WorkItem* item : last)
                item->step();
        } while (ahead == 0 && std::ranges::all_of(last, [&](const WorkItem* item) {
                     return item->state() == WorkItem::State::ready &&
                            item->next() == last.front()->next();
                 }));
    }
}

void Group::meet() {
    const auto first = std::ranges::find_if(
        items_, [](const WorkItem& item) { return item.state() == WorkItem::State::waits; });
    const ir::Instruction& call = *first->current();
    std::uint32_t flags = 0;
    if (awaits_copies(call)) {
        for (const std::uint64_t event : events_of(*first, call)) {
            for (AsyncCopy& one : copies_) {
                if (one.event == event && !one.done)
                    copy(one);
            }
        }
    } else {
        flags = static_cast<std::uint32_t>(first->operand(call.operands[0]).get_unsigned());
    }
    launch_->watcher().on_barrier(*this, flags);
    for (WorkItem& item : items_) {
        if (item.state() == WorkItem::State::waits)
            item.go_on();
    }
}

void Group::copy(AsyncCopy& copy) {
    copy.done = true;
    if (copy.asked != items_.size())
        launch_->watcher().on_copy_divergence(items_.front());
    Memory& to = items_.front().memory(copy.to_space);
    Memory& from = items_.front().memory(copy.from_space);
    const bool whole = copy.to_stride == 1 && copy.from_stride == 1;
    const std::size_t parts = whole ? std::min<std::size_t>(copy.count, 1) : copy.count;
    const std::size_t size = whole ? copy.element * copy.count : copy.element;
    for (std::size_t i = 0; i < parts; ++i) {
        const Address source = copy.from + i * copy.from_stride * copy.element;
        const Address target = copy.to + i * copy.to_stride * copy.element;
        launch_->watcher().on_copy(*this, from, source, {size, copy.element}, false);
        launch_->watcher().on_copy(*this, to, target, {size, copy.element}, true);
        if (!from.is_valid(source, size) || !to.is_valid(target, size))
            break; // the rest lies further out
        std::memmove(to.at(target), from.at(source), size);
    }
}

// --- work-items --------------------------------------------------------------------------------------

WorkItem::WorkItem(Group& group, std::size_t number)
    : group_(&group), number_(number), local_id_(position(number, group.launch().group_size)) {
    constexpr std::size_t usual_variables = 16; // of a kernel and the functions that it calls
    constexpr std::size_t usual_calls = 4;
    const Launch& launch = group.launch();
    private_memory_.reserve(usual_variables, usual_variables * sizeof(std::uint64_t));
    frames_.reserve(usual_calls);
    begin(launch.kernel(), nullptr);
    std::uint32_t local = 0; // pieces of local memory before the next argument's
    for (const ir::Global* global : launch.module().globals())
        local += global->space == ir::local_space ? 1 : 0;
    for (std::size_t i = 0; i < launch.arguments().size(); ++i) {
        const ir::Argument& argument = *launch.kernel().arguments[i];
        const Given& given = launch.arguments()[i];
        std::byte* target = registers_.data() + argument.slot;
        Address address = 0;
        if (given.local_size != 0) {
            address = ir::address_of(++local);
        } else if (argument.by_value != nullptr) {
            address = private_memory_.allocate(argument.by_value->size);
            std::memcpy(private_memory_.at(address), given.value.data(),
                        std::min(given.value.size(), argument.by_value->size));
        } else {
            std::memcpy(target, given.value.data(),
                        std::min(given.value.size(), argument.type->value_size()));
            continue;
        }
        std::memcpy(target, &address, sizeof address);
    }
}

int WorkItem::lag_to(const WorkItem& other) const {
    const auto [mine, theirs] = std::mismatch(
        frames_.begin(), frames_.end(), other.frames_.begin(), other.frames_.end(),
        [](const Frame& a, const Frame& b) { return a.block == b.block && a.next == b.next; });
    if (mine == frames_.end() || theirs == other.frames_.end())
        return static_cast<int>(theirs != other.frames_.end()) -
               static_cast<int>(mine != frames_.end());
    const auto place = [](const Frame& frame) {
        return std::pair(frame.block->number, frame.next - frame.block->instructions.data());
    };
    return place(*mine) < place(*theirs) ? 1 : -1;
}

std::vector<int> WorkItem::call_lines() const {
    std::vector<int> lines;
    for (auto frame = frames_.rbegin(); frame != frames_.rend() && frame->call != nullptr; ++frame)
        lines.push_back(frame->call->line);
    return lines;
}

std::size_t WorkItem::number_in_launch() const {
    return group_->number() * volume(group_->launch().group_size) + number_;
}

Size3 WorkItem::global_id() const {
    const Launch& launch = group_->launch();
    Size3 id = launch.global_offset;
    for (std::size_t i = 0; i < id.size(); ++i)
        id[i] += group_->id()[i] * launch.group_size[i] + local_id_[i];
    return id;
}

Memory& WorkItem::memory(unsigned space) {
    switch (space) {
    case ir::private_space:
    case ir::generic_space: // only event lists, which are variables
        return private_memory_;
    case ir::local_space:
        return group_->local_memory();
    default:
        return group_->launch().global_memory();
    }
}

/// The frame that holds `value`, an argument or an instruction.
const WorkItem::Frame& WorkItem::frame_of(const ir::Value& value) const {
    const ir::Argument* argument = ir::as_argument(&value);
    const ir::Function* owner =
        argument != nullptr ? argument->function : ir::as_instruction(&value)->block->function;
    const auto frame = std::find_if(frames_.rbegin(), frames_.rend(),
                                    [&](const Frame& one) { return one.function == owner; });
    if (frame == frames_.rend())
        throw Stuck("a value of a function that is not running was requested");
    return *frame;
}

Operand WorkItem::operand(const ir::Value* value) const {
    const std::byte* data = value->fixed.empty()
                                ? registers_.data() + frame_of(*value).registers + value->slot
                                : value->fixed.data();
    return {data, value->type->scalar().size, value->type->lanes()};
}

void WorkItem::begin(const ir::Function& function, const ir::Instruction* call) {
    Frame& frame = frames_.emplace_back();
    frame.function = &function;
    frame.jump_to(*function.blocks.front());
    frame.call = call;
    frame.pieces = private_memory_.pieces();
    frame.registers = registers_.size();
    registers_.resize(frame.registers + function.frame_size);
}

void WorkItem::step() {

    const ir::Instruction& instruction = *next();
    ++frames_.back().next;
    current_ = &instruction;
    const std::size_t depth = frames_.size();
    Execution(*this, instruction).run();
    Watcher& watcher = group_->launch().watcher();
    const bool has_result = instruction.result.lane_size != 0 && frames_.size() == depth;
    watcher.on_executed(*this, instruction,
                        has_result ? registers_of(frames_.back()) + instruction.slot : nullptr);
    if (frames_.empty() && state_ != State::finished) {
        state_ = State::finished;
        watcher.on_item_ends(*this);
    }
}

} // namespace labgrind::vm
