#include "labgrind/trace.hpp"

#include "labgrind/observer.hpp"
#include "labgrind/program/instructions.hpp"
#include "labgrind/reports/findings.hpp"
#include "labgrind/reports/reports.hpp"

#include <algorithm>
#include <utility>

namespace labgrind {
namespace {

using AccessKind = wire::TracedAccess::Kind;

/// A picture shows far less.
constexpr std::size_t most_traced_accesses = 4096;
constexpr std::int64_t most_traced_elements = 64; ///< of one access
constexpr std::uint64_t most_traced_instructions = 2'000'000;

/// Private memory is followed in words of this size.
constexpr std::size_t followed_word = 4;

/// `type` without typedefs, qualifiers, pointers, arrays and vectors.
const ir::Metadata* innermost(const ir::Metadata* type) {
    while (type != nullptr && type->link("baseType") != nullptr)
        type = type->link("baseType");
    return type;
}

wire::TracedArray::Numbers numbers_of(const ir::Metadata* type) {
    const ir::Metadata* number = innermost(type);
    const std::string encoding = number == nullptr ? "" : number->text("encoding");
    if (encoding == "DW_ATE_float")
        return wire::TracedArray::Numbers::floating;
    return encoding.find("unsigned") != std::string::npos ? wire::TracedArray::Numbers::without_sign
                                                          : wire::TracedArray::Numbers::with_sign;
}

/// The numbers of the element at an address, as bits. The last vector of an array can lack lanes.
std::vector<std::uint64_t> lanes_at(const vm::Memory& memory, vm::Address address,
                                    const wire::TracedArray& array) {
    std::vector<std::uint64_t> lanes;
    for (std::size_t lane = 0; lane < array.lanes; ++lane) {
        const vm::Address at = address + lane * array.bytes;
        if (memory.is_valid(at, array.bytes))
            lanes.push_back(vm::number_at(memory.at(at), array.bytes));
    }
    return lanes;
}

std::int64_t floor_divided(std::int64_t number, std::int64_t by) {
    return number >= 0 ? number / by : -((-number + by - 1) / by);
}

bool writes(AccessKind kind) { return kind != AccessKind::load; }

} // namespace

// --- sources ------------------------------------------------------------------------------------

Sources::Elements Sources::of(const ir::Value* value) const {
    const auto known = values_.find(value);
    return known == values_.end() ? Elements() : known->second;
}

void Sources::set(const ir::Value* value, Elements elements) {
    if (elements.empty())
        values_.erase(value);
    else
        values_[value] = std::move(elements);
}

void Sources::on_private_load(vm::Address address, std::size_t size) {
    for (auto one = private_words_.lower_bound(address / followed_word * followed_word);
         one != private_words_.end() && one->first < address + size; ++one)
        loaded_.insert(one->second.begin(), one->second.end());
}

void Sources::on_private_store(vm::Address address, std::size_t size, const ir::Instruction& by) {
    const Elements elements = stored_by(by);
    for (vm::Address at = address / followed_word * followed_word; at < address + size;
         at += followed_word)
        private_words_[at] = elements;
}

/// What the result of an instruction that is neither a load nor a call of a function of the program
/// is made of.
Sources::Elements Sources::result_of(const vm::WorkItem& item,
                                     const ir::Instruction& instruction) const {
    switch (instruction.opcode) {
    case ir::Opcode::step:
    case ir::Opcode::icmp:
    case ir::Opcode::fcmp:
        return {};
    case ir::Opcode::select: {
        const bool first = (item.operand(instruction.operands[0]).get_unsigned() & 1U) != 0;
        return of(instruction.operands[first ? 1 : 2]);
    }
    case ir::Opcode::phi: {
        const auto from = std::ranges::find(instruction.successors, item.previous_block());
        return from == instruction.successors.end()
                   ? Elements()
                   : of(instruction.operands.at(
                         static_cast<std::size_t>(from - instruction.successors.begin())));
    }
    default:
        break;
    }
    Elements all;
    for (const ir::Value* operand : instruction.operands) {
        if (operand->type == nullptr || operand->type->is(ir::Type::Kind::pointer))
            continue;
        const auto known = values_.find(operand);
        if (known != values_.end())
            all.insert(known->second.begin(), known->second.end());
    }
    return all;
}

Sources::Elements Sources::stored_by(const ir::Instruction& instruction) const {
    const bool names_value =
        instruction.opcode == ir::Opcode::store ||
        (instruction.callee != nullptr && instruction.callee->plain_name.starts_with("vstore"));
    return names_value ? of(instruction.operands[0]) : loaded_; // a copy stores what it loads
}

void Sources::on_executed(const vm::WorkItem& item, const ir::Instruction& instruction) {
    Elements elements = std::exchange(loaded_, {});
    const bool calls = instruction.opcode == ir::Opcode::call && instruction.callee != nullptr;
    if (calls && !instruction.callee->is_declaration()) {
        for (std::size_t i = 0; i < instruction.callee->arguments.size(); ++i)
            set(instruction.callee->arguments[i], of(instruction.operands.at(i)));
        calls_.push_back(&instruction); // its result comes with the return
        return;
    }
    if (instruction.opcode == ir::Opcode::ret) {
        if (calls_.empty())
            return;
        set(calls_.back(), instruction.operands.empty() ? Elements() : of(instruction.operands[0]));
        calls_.pop_back();
        return;
    }
    elements.merge(result_of(item, instruction));
    set(&instruction, std::move(elements));
}

// --- the launch -----------------------------------------------------------------------------------

void Tracer::on_launch_begins(vm::Launch& launch) {
    names_.emplace(launch);
    trace_ = {};
    trace_.kernel = launch.kernel().name;
    trace_.groups = vm::volume(launch.group_counts());
    trace_.group_size = vm::volume(launch.group_size);
    arrays_.clear();
    groups_.clear();
    pieces_.clear();
    variables_.clear();
    incomplete_.clear();
    epochs_.clear();
    constants_ = launch.module().constant_buffers();
    has_atomics_ = launch.module().has_atomics();
    instructions_ = 0;
}

/// Groups that take turns begin at their first access.
Tracer::Progress& Tracer::progress_of(vm::Group& group) {
    Progress& progress = groups_[group.number()];
    if (progress.known.handle == &group)
        return progress;
    progress = {};
    progress.known.handle = &group;
    progress.known.items.resize(group.items().size());
    for (vm::WorkItem& item : group.items())
        progress.known.items[item.number()].item = &item;
    progress.sources.resize(group.items().size());
    return progress;
}

void Tracer::on_barrier(vm::Group& group, std::uint32_t flags) {
    Progress& progress = progress_of(group);
    ++progress.phase;
    progress.local_epoch += (flags & vm::local_flag) != 0 ? 1 : 0;
    progress.global_epoch += (flags & vm::global_flag) != 0 ? 1 : 0;
    const auto first = std::ranges::find_if(group.items(), [](const vm::WorkItem& item) {
        return item.state() == vm::WorkItem::State::waits;
    });
    if (first == group.items().end())
        return;
    wire::TracedBarrier barrier{group.number(), progress.phase - 1, first->current()->line, {}};
    for (const vm::WorkItem& item : group.items()) {
        if (item.state() != vm::WorkItem::State::waits || item.current() != first->current())
            barrier.missing.push_back(item.number());
    }
    if (group.number() == 0 || !barrier.missing.empty())
        trace_.barriers.push_back(std::move(barrier));
}

std::size_t Tracer::array_of(const vm::WorkItem& item, const vm::Memory& memory,
                             std::uint32_t buffer) {
    const auto [known, is_new] = arrays_.emplace(Piece{memory.space(), buffer}, arrays_.size());
    if (!is_new)
        return known->second;
    const Group& group = progress_of(item.group()).known;
    Names::Variable variable =
        names_->variable(memory.space(), buffer, group, group.items[item.number()]);
    wire::TracedArray array;
    array.name = variable.name;
    array.local = memory.space() == ir::local_space;
    array.argument = variable.argument();
    array.is_struct = variable.is_struct;
    array.numbers = numbers_of(variable.described);
    if (!variable.is_struct && variable.element_size != 0) {
        array.lanes = variable.lanes;
        array.bytes = variable.element_size / variable.lanes;
    }
    const std::size_t element = array.lanes * array.bytes;
    array.elements = (variable.size + element - 1) / element;
    pieces_.emplace_back(memory.space(), buffer);
    variable.scalar = variable.scalar || variable.size <= variable.element_size;
    variables_.push_back(std::move(variable));
    trace_.arrays.push_back(std::move(array));
    return known->second;
}

/// Ends a launch that is too long for a picture.
void Tracer::require_budget() {
    if (trace_.accesses.size() <= most_traced_accesses &&
        ++instructions_ <= most_traced_instructions)
        return;
    trace_.cut_short = true;
    throw SeenEnough{};
}

// --- accesses -------------------------------------------------------------------------------------

void Tracer::on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                     std::size_t size) {
    if (memory.space() == ir::private_space)
        progress_of(item.group()).sources[item.number()].on_private_load(address, size);
    else
        record(item, memory, address, size, AccessKind::load);
}

void Tracer::on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                      const std::byte* /*data*/) {
    if (memory.space() == ir::private_space)
        progress_of(item.group())
            .sources[item.number()]
            .on_private_store(address, size, *item.current());
    else
        record(item, memory, address, size, AccessKind::store);
}

void Tracer::on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                       std::size_t size) {
    record(item, memory, address, size, AccessKind::atomic);
}

void Tracer::on_copy(vm::Group& group, vm::Memory& memory, vm::Address address, vm::CopySize part,
                     bool write) {
    vm::WorkItem& asker = group.items().front();
    const std::size_t first = trace_.accesses.size();
    record(asker, memory, address, part.whole, write ? AccessKind::store : AccessKind::load);
    progress_of(group).sources[asker.number()].forget_loads();
    if (!write)
        copied_.clear();
    for (std::size_t i = first; i < trace_.accesses.size(); ++i) {
        if (!write)
            copied_.push_back(trace_.accesses[i].element);
        else if (i - first < copied_.size())
            trace_.accesses[i].from = {copied_[i - first]};
    }
}

void Tracer::on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                         std::byte* /*result*/) {
    progress_of(item.group()).sources[item.number()].on_executed(item, instruction);
    complete(item);
    require_budget();
}

void Tracer::record(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                    AccessKind kind) {
    const vm::Address start =
        memory.is_valid(address, size)
            ? address - ir::offset_of(address)
            : meant_start(memory, item, item.current(), address, writes(kind));
    const std::uint32_t buffer = ir::buffer_of(start);
    if (buffer == 0 || buffer > memory.pieces() ||
        (memory.space() != ir::local_space && constants_.contains(buffer)))
        return;
    Progress& progress = progress_of(item.group());
    Sources& sources = progress.sources[item.number()];
    const std::size_t array_number = array_of(item, memory, buffer);
    const wire::TracedArray array = trace_.arrays[array_number];
    const auto stride = static_cast<std::int64_t>(array.lanes * array.bytes);
    const auto offset = static_cast<std::int64_t>(address - start);
    const std::int64_t first = floor_divided(offset, stride);
    const std::int64_t last = floor_divided(
        offset + std::max<std::int64_t>(static_cast<std::int64_t>(size), 1) - 1, stride);
    const bool is_local = memory.space() == ir::local_space;
    for (std::int64_t index = first; index <= last && index - first < most_traced_elements;
         ++index) {
        wire::TracedAccess access;
        access.kind = kind;
        access.group = item.group().number();
        access.item = item.number();
        access.phase = progress.phase;
        access.line = item.current()->line;
        access.element = {array_number, index};
        access.name = Names::element(variables_[array_number], index * stride,
                                     static_cast<std::size_t>(stride));
        const std::int64_t end = std::min(offset + static_cast<std::int64_t>(size),
                                          (index + 1) * stride); // of what it accesses here
        access.outside = std::max(offset, index * stride) < 0 ||
                         end > static_cast<std::int64_t>(memory.size_of(buffer));
        if (kind == AccessKind::atomic) {
            access.operation = item.current()->callee->plain_name;
            access.before = lanes_at(
                memory, ir::address_of(buffer, static_cast<std::uint64_t>(index * stride)), array);
        }
        if (writes(kind)) {
            const Sources::Elements from = sources.stored_by(*item.current());
            access.from.assign(from.begin(), from.end());
        }
        if (is_local && !access.outside) {
            const bool written = progress.written.contains(access.element);
            access.uninitialized = kind != AccessKind::store && !written;
            if (writes(kind))
                progress.written.insert(access.element);
        } else if (!access.outside && kind != AccessKind::store) {
            const vm::Address at =
                ir::address_of(buffer, static_cast<std::uint64_t>(index * stride));
            access.uninitialized =
                memory.is_valid(at, array.bytes) &&
                is_unwritten(vm::number_at(memory.at(at), array.bytes), array.bytes);
        }
        add(std::move(access), is_local ? progress.local_epoch : progress.global_epoch);
    }
    if (kind != AccessKind::store) {
        for (std::int64_t index = first; index <= last && index - first < most_traced_elements;
             ++index)
            sources.on_load({array_number, index});
    }
}

/// Adds an access, or counts the last one of its work-item once more if it waits.
void Tracer::add(wire::TracedAccess access, std::size_t epoch) {
    const std::size_t number = trace_.accesses.size();
    access.race = race_with(access, epoch);
    trace_.accesses.push_back(std::move(access));
    epochs_.push_back(epoch);
    incomplete_.push_back(number);
}

/// The number of an earlier access that no barrier orders with this one, or -1. Atomic operations
/// can order accesses in ways that are not visible here, so launches with any have no races.
int Tracer::race_with(const wire::TracedAccess& access, std::size_t epoch) const {
    if (has_atomics_ || access.outside)
        return -1;
    const bool is_local = trace_.arrays[access.element.array].local;
    for (std::size_t i = trace_.accesses.size(); i-- > 0;) {
        const wire::TracedAccess& other = trace_.accesses[i];
        if (!(other.element == access.element) || (!writes(other.kind) && !writes(access.kind)))
            continue;
        const bool same_group = other.group == access.group;
        if (same_group && (other.item == access.item || epochs_[i] != epoch))
            continue;
        if (same_group || !is_local)
            return static_cast<int>(i);
    }
    return -1;
}

/// Counts the last access once more instead of the same one again, by a work-item that waits.
void Tracer::merge_waiting() {
    const wire::TracedAccess& last = trace_.accesses.back();
    for (std::size_t i = trace_.accesses.size() - 1; i-- > 0;) {
        wire::TracedAccess& before = trace_.accesses[i];
        if (before.group != last.group || before.item != last.item)
            continue;
        const bool again = last.kind != AccessKind::store && before.kind == last.kind &&
                           before.line == last.line && before.element == last.element &&
                           before.value == last.value && before.before == last.before;
        if (again) {
            ++before.times;
            trace_.accesses.pop_back();
            epochs_.pop_back();
        }
        return;
    }
}

/// Fills in the values of the accesses by the instruction that `item` has executed.
void Tracer::complete(vm::WorkItem& item) {
    const std::vector<std::size_t> completed = std::exchange(incomplete_, {});
    for (const std::size_t number : completed) {
        wire::TracedAccess& access = trace_.accesses[number];
        const wire::TracedArray& array = trace_.arrays[access.element.array];
        if (access.outside || access.group != item.group().number())
            continue;
        const Piece& piece = pieces_[access.element.array];
        const vm::Memory& memory = item.memory(piece.first);
        const auto offset =
            static_cast<std::uint64_t>(access.element.index) * array.lanes * array.bytes;
        access.value = lanes_at(memory, ir::address_of(piece.second, offset), array);
    }
    if (completed.size() == 1)
        merge_waiting();
}

wire::Trace Tracer::take() { return std::move(trace_); }

} // namespace labgrind
