#include "labgrind/replay.hpp"

#include "labgrind/program/dataflow.hpp"
#include "labgrind/program/instructions.hpp"
#include "labgrind/reports/findings.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace labgrind {

using wire::LaunchArgument;

namespace {

/// Ends a launch that accesses memory outside its buffers, or takes too long.
class Limits final : public vm::Watcher {
  public:
    Limits(std::uint64_t most_instructions, bool takes_notes)
        : most_instructions_(most_instructions), takes_notes_(takes_notes) {}

    Replay::Computed noted() && { return std::move(noted_); }

    void on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                     std::byte* /*result*/) override {
        if (takes_notes_)
            noted_.executed.insert(&instruction);
        if (++noted_.instructions > most_instructions_)
            throw vm::Stuck("the launch takes too long: it has reached line " + line_of(item));
    }
    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t size) override {
        note(item, memory, address, size, noted_.loads);
    }
    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t size,
                  const std::byte* /*data*/) override {
        note(item, memory, address, size, noted_.stores);
    }

  private:
    static std::string line_of(const vm::WorkItem& item) {
        return std::to_string(item.current()->line);
    }
    void note(const vm::WorkItem& item, const vm::Memory& memory, vm::Address address,
              std::size_t size, std::map<int, std::uint64_t>& accesses) {
        if (takes_notes_)
            noted_.executed.insert(item.current());
        if (!memory.is_valid(address, size))
            throw vm::Stuck("line " + line_of(item) + " uses memory outside its buffer");
        if (takes_notes_ && memory.space() != ir::private_space)
            ++accesses[item.current()->line];
    }

    std::uint64_t most_instructions_;
    bool takes_notes_;
    Replay::Computed noted_;
};

/// The numbers of all groups, in order.
std::vector<std::size_t> numbers_of(std::size_t groups) {
    std::vector<std::size_t> numbers(groups);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

bool contains(const wire::ByteRange& whole, const wire::ByteRange& part) {
    return part.offset >= whole.offset && part.offset + part.size <= whole.offset + whole.size;
}

} // namespace

/// The smallest ranges that hold all buffers; overlapping ones are joined.
std::vector<Replay::Buffer> Replay::joined_buffers(const wire::KernelLaunch& launch,
                                                   vm::Memory& global_memory) {
    std::vector<wire::ByteRange> ranges;
    for (const LaunchArgument& argument : launch.arguments) {
        if (argument.kind == LaunchArgument::Kind::buffer)
            ranges.push_back(argument.bytes);
    }
    std::ranges::sort(ranges, [](const auto& a, const auto& b) { return a.offset < b.offset; });
    std::vector<Buffer> joined;
    for (const wire::ByteRange& range : ranges) {
        if (!joined.empty() &&
            range.offset < joined.back().range.offset + joined.back().range.size) {
            wire::ByteRange& last = joined.back().range;
            last.size = std::max(last.size, range.offset + range.size - last.offset);
        } else {
            joined.push_back({range, 0, nullptr});
        }
    }
    for (Buffer& buffer : joined)
        buffer.address = global_memory.allocate(buffer.range.size);
    for (Buffer& buffer : joined)
        buffer.data = global_memory.at(buffer.address);
    return joined;
}

Replay::Replay(const ir::Module& module, Observer& observer, const wire::KernelLaunch& launch,
               std::span<std::byte> memory)
    : module_(&module), observer_(observer), launch_(launch), memory_(memory),
      start_(memory.begin(), memory.end()), global_memory_(vm::constants_of(module)),
      buffers_(joined_buffers(launch, global_memory_)), machine_(machine(observer)),
      unwatched_machine_(machine(unwatched_)) {
    observer.set_flags(buffers_with(&LaunchArgument::write_only),
                       buffers_with(&LaunchArgument::read_only));
}

vm::Launch Replay::machine(vm::Watcher& watcher) {
    std::vector<vm::Given> arguments;
    for (const LaunchArgument& argument : launch_.arguments)
        arguments.push_back(given(argument));
    vm::Launch machine(*module_, *module_->function(launch_.kernel), global_memory_,
                       std::move(arguments), watcher);
    machine.dimensions = launch_.dimensions;
    for (std::size_t i = 0; i < launch_.dimensions; ++i) {
        machine.global_offset.at(i) = launch_.global_offset.at(i);
        machine.global_size.at(i) = launch_.global_size.at(i);
        machine.group_size.at(i) = std::max<std::size_t>(launch_.work_group_size.at(i), 1);
    }
    return machine;
}

vm::Given Replay::given(const LaunchArgument& argument) const {
    vm::Given given;
    if (argument.kind == LaunchArgument::Kind::local) {
        given.local_size = argument.bytes.size;
    } else if (argument.kind == LaunchArgument::Kind::value) {
        const auto value = memory_.subspan(argument.bytes.offset, argument.bytes.size);
        given.value.assign(value.begin(), value.end());
    } else {
        const Buffer* buffer = buffer_of(argument);
        const vm::Address address =
            buffer == nullptr ? 0
                              : buffer->address + (argument.bytes.offset - buffer->range.offset);
        given.value.resize(sizeof address);
        std::memcpy(given.value.data(), &address, sizeof address);
    }
    return given;
}

/// The memory that contains an argument; null if none does.
const Replay::Buffer* Replay::buffer_of(const LaunchArgument& argument) const {
    const Buffer* found = nullptr;
    for (const Buffer& buffer : buffers_) {
        if (argument.kind == LaunchArgument::Kind::buffer && contains(buffer.range, argument.bytes))
            found = &buffer;
    }
    return found;
}

std::vector<wire::WordRead> Replay::words_of_arguments(const LastReads& reads) const {
    std::vector<wire::WordRead> words;
    for (const auto& [place, value] : reads.words()) {
        const auto& [group, address] = place;
        if (!reads.has_atomics(address))
            continue;
        for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
            const Buffer* buffer = buffer_of(launch_.arguments[i]);
            if (buffer == nullptr || ir::buffer_of(buffer->address) != ir::buffer_of(address))
                continue;
            const wire::ByteRange& bytes = launch_.arguments[i].bytes;
            const std::size_t at = address - buffer->address + buffer->range.offset;
            if (at >= bytes.offset && at < bytes.offset + bytes.size)
                words.push_back({group, i, (at - bytes.offset) / sizeof value, value});
        }
    }
    return words;
}

/// The numbers of the buffers for which all arguments that share them have this flag.
std::set<std::size_t> Replay::buffers_with(bool LaunchArgument::*flag) const {
    std::set<std::size_t> numbers;
    for (const Buffer& buffer : buffers_) {
        const auto has_flag = [&](const LaunchArgument& argument) {
            return argument.kind != LaunchArgument::Kind::buffer ||
                   !contains(buffer.range, argument.bytes) || argument.*flag;
        };
        if (std::ranges::all_of(launch_.arguments, has_flag))
            numbers.insert(ir::buffer_of(buffer.address));
    }
    return numbers;
}

void Replay::reset() {
    for (const Buffer& buffer : buffers_)
        std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(buffer.range.offset),
                    buffer.range.size, buffer.data);
}

/// Runs the launch by `run`, watched.
template <class Run> void Replay::watch(const Run& run) {
    reset();
    observer_.on_launch_begins(machine_);
    try {
        run();
    } catch (const SeenEnough&) { // the launch ends here
    }
    observer_.on_launch_ends();
}

void Replay::run(RunOptions options, bool ends_only) {
    std::vector<std::size_t> numbers = numbers_of(groups());
    if (options.last_group_first)
        std::ranges::reverse(numbers);
    if (ends_only && numbers.size() > 2)
        numbers = {numbers.front(), numbers.back()};
    observer_.set_run_options(std::move(options));
    watch([&] { machine_.run(numbers); });
}

void Replay::run_in_turns(vm::Policy& policy, std::uint64_t most_instructions) {
    watch([&] { vm::interleave(machine_, policy, most_instructions); });
}

Replay::Computed Replay::compute(bool in_lock_step, std::uint64_t most_instructions,
                                 bool takes_notes) {
    reset();
    Limits limits(most_instructions, takes_notes);
    vm::Launch machine = this->machine(limits);
    machine.in_lock_step = in_lock_step;
    std::string failure;
    try {
        machine.run(numbers_of(groups()));
    } catch (const vm::Stuck& stuck) {
        failure = stuck.what();
    }
    Computed computed = std::move(limits).noted();
    computed.failure = failure;
    return computed;
}

void Replay::run_with(vm::Watcher& watcher, bool last_group_first) {
    std::vector<std::size_t> numbers = numbers_of(groups());
    if (last_group_first)
        std::ranges::reverse(numbers);
    reset();
    machine(watcher).run(numbers);
}

void Replay::trace(Tracer& tracer, bool in_lock_step) {
    reset();
    vm::Launch machine = this->machine(tracer);
    machine.in_lock_step = in_lock_step;
    tracer.on_launch_begins(machine);
    try {
        machine.run(numbers_of(groups()));
    } catch (const SeenEnough&) { // the picture ends here
    }
}

/// Calls `change` with each word that is uninitialized before the launch, and with the kept result
/// in its place.
template <class Change> void Replay::for_unwritten_words(const Change& change) {
    constexpr std::size_t size = sizeof(std::uint32_t);
    for (const Buffer& buffer : buffers_) {
        for (std::size_t at = 0; at + size <= buffer.range.size; at += size) {
            const std::byte* start = start_.data() + buffer.range.offset + at;
            if (is_unwritten(vm::number_at(start, size), size))
                change(buffer.data + at, memory_.data() + buffer.range.offset + at, size);
        }
    }
}

vm::Interleaving Replay::interleave(vm::Policy& policy, std::uint64_t most_instructions,
                                    std::uint64_t fairly, Unwritten unwritten) {
    reset();
    if (unwritten == Unwritten::zero)
        for_unwritten_words([](std::byte* word, const std::byte* /*kept*/, std::size_t size) {
            std::memset(word, 0, size);
        });
    if (unwritten == Unwritten::stale) {
        std::byte* previous = nullptr;
        const std::byte* first_kept = nullptr;
        for_unwritten_words([&](std::byte* word, const std::byte* kept, std::size_t size) {
            if (is_unwritten(vm::number_at(kept, size), size))
                return;
            if (previous != nullptr)
                std::memcpy(previous, kept, size);
            else
                first_kept = kept;
            previous = word;
        });
        if (previous != nullptr)
            std::memcpy(previous, first_kept, sizeof(std::uint32_t));
    }
    vm::Interleaving run;
    unwatched_machine_.forget_stray();
    if (interleaved_watcher_ != nullptr) {
        vm::Launch machine = this->machine(*interleaved_watcher_);
        run = vm::interleave(machine, policy, most_instructions, fairly);
    } else if (tracer_ == nullptr) {
        run = vm::interleave(unwatched_machine_, policy, most_instructions, fairly);
    } else {
        vm::Launch machine = this->machine(*tracer_);
        tracer_->on_launch_begins(machine);
        try {
            run = vm::interleave(machine, policy, most_instructions, fairly);
        } catch (const SeenEnough&) { // the picture ends here
        }
    }
    if (unwritten == Unwritten::zero) // a word that is still unwritten is no new result
        for_unwritten_words([](std::byte* word, const std::byte* kept, std::size_t size) {
            if (vm::number_at(word, size) == 0 && is_unwritten(vm::number_at(kept, size), size))
                std::memcpy(word, kept, size);
        });
    return run;
}

std::optional<Replay::UnwrittenElement> Replay::first_unwritten(const vm::Pieces& pieces) const {
    constexpr std::size_t size = sizeof(std::uint32_t);
    for (std::size_t argument = 0; argument < launch_.arguments.size(); ++argument) {
        const wire::ByteRange& range = launch_.arguments[argument].bytes;
        const Buffer* buffer = buffer_of(launch_.arguments[argument]);
        if (buffer == nullptr ||
            !pieces.contains({ir::global_space, ir::buffer_of(buffer->address)}))
            continue;
        for (std::size_t at = 0; at + size <= range.size; at += size) {
            const std::byte* start = start_.data() + range.offset + at;
            const std::byte* end = buffer->data + (range.offset - buffer->range.offset) + at;
            if (is_unwritten(vm::number_at(start, size), size) &&
                !is_unwritten(vm::number_at(end, size), size))
                return UnwrittenElement{static_cast<int>(argument), at};
        }
    }
    return std::nullopt;
}

void Replay::keep_results() const {
    for (const Buffer& buffer : buffers_)
        std::copy_n(buffer.data, buffer.range.size, memory_.data() + buffer.range.offset);
}

std::uint64_t Replay::differing_buffers() const {
    std::uint64_t differing = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        const Buffer& buffer = buffers_[i];
        if (std::memcmp(buffer.data, memory_.data() + buffer.range.offset, buffer.range.size) != 0)
            differing |= std::uint64_t{1} << i % 64;
    }
    return differing;
}

/// Whether the word at an address of the machine differs from the kept results.
bool Replay::differs_at(vm::Address address) const {
    constexpr std::size_t size = sizeof(std::uint32_t);
    return std::ranges::any_of(buffers_, [&](const Buffer& buffer) {
        const std::uint64_t offset = address - buffer.address;
        return address >= buffer.address && offset + size <= buffer.range.size &&
               std::memcmp(buffer.data + offset, memory_.data() + buffer.range.offset + offset,
                           size) != 0;
    });
}

std::uint64_t Replay::hash_of_results() const {
    std::uint64_t hash = 0;
    for (const Buffer& buffer : buffers_) {
        for (std::size_t i = 0; i < buffer.range.size; ++i)
            hash = hash * hash_factor + std::to_integer<std::uint64_t>(buffer.data[i]) + 1;
    }
    return hash;
}

wire::Footprint Replay::footprint() const {
    wire::Footprint all{true, {}, {}, {}};
    for (const Buffer& buffer : buffers_) {
        if (all.known)
            observer_.footprint().add_to(all, ir::buffer_of(buffer.address), buffer.range.offset);
    }
    all.store_lines = store_lines(*module_->function(launch_.kernel));
    return all;
}

} // namespace labgrind
