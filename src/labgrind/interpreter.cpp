#include "labgrind/interpreter.hpp"

#include "labgrind/clang.hpp"
#include "labgrind/findings.hpp"
#include "labgrind/observer.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

namespace labgrind {
namespace {

using wire::LaunchArgument;

/// The least ranges that hold all buffers, with those that overlap joined.
std::vector<wire::ByteRange> joined_buffers(const wire::KernelLaunch& launch) {
    std::vector<wire::ByteRange> ranges;
    for (const LaunchArgument& argument : launch.arguments) {
        if (argument.kind == LaunchArgument::Kind::buffer)
            ranges.push_back(argument.bytes);
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
    std::vector<wire::ByteRange> joined;
    for (const wire::ByteRange& range : ranges) {
        if (!joined.empty() && range.offset < joined.back().offset + joined.back().size)
            joined.back().size =
                std::max(joined.back().size, range.offset + range.size - joined.back().offset);
        else
            joined.push_back(range);
    }
    return joined;
}

/// Failures that nobody should take for an answer.
constexpr unsigned stubborn_failures = 256;

constexpr const char* gives_up = " fails when another work-item is faster, and is not tried again: "
                                 "the result is then another one";
constexpr const char* goes_on = " fails while another work-item holds the lock, but this one goes "
                                "on all the same and releases a lock that it does not hold";

void add_no_retry(wire::Analysis& analysis, const std::vector<int>& lines, const char* why) {
    for (const int line : lines) {
        const bool known = std::any_of(analysis.findings.begin(), analysis.findings.end(),
                                       [&](const wire::Finding& one) {
                                           return one.kind == kind::no_retry && one.line == line;
                                       });
        if (!known)
            analysis.findings.push_back(
                {kind::no_retry, analysis.work.kernel, line, 0,
                 "the atomic operation at line " + std::to_string(line) + why, 1});
    }
}

bool has(const wire::Analysis& analysis, const char* kind) {
    return std::any_of(analysis.findings.begin(), analysis.findings.end(),
                       [&](const wire::Finding& one) { return one.kind == kind; });
}

/// Adds the findings of these kinds, of which none is known yet.
void add_new(wire::Analysis& analysis, const std::vector<wire::Finding>& findings,
             const std::vector<const char*>& kinds) {
    for (const char* kind : kinds) {
        if (has(analysis, kind))
            continue;
        std::copy_if(findings.begin(), findings.end(), std::back_inserter(analysis.findings),
                     [&](const wire::Finding& one) { return one.kind == kind; });
    }
}

using Values = std::map<std::uint64_t, std::uint64_t>;

/// Memory of the machine that holds what some arguments of a launch share.
class Buffer {
  public:
    Buffer(vm::Memory& memory, wire::ByteRange range, wire::Span<std::byte> bytes)
        : range_(range), host_(bytes.subspan(range.offset, range.size)),
          address_(memory.allocate(range.size)), data_(memory.at(address_)) {
        write();
    }

    bool contains(const wire::ByteRange& part) const {
        return part.offset >= range_.offset &&
               part.offset + part.size <= range_.offset + range_.size;
    }
    vm::Address address_of(const wire::ByteRange& part) const {
        return address_ + (part.offset - range_.offset);
    }
    std::uint32_t number() const { return ir::buffer_of(address_); }
    std::size_t begin() const { return range_.offset; }
    void read_back() const { std::copy_n(data_, range_.size, host_.begin()); }
    void write() const { std::copy(host_.begin(), host_.end(), data_); }
    bool differs() const { return !std::equal(host_.begin(), host_.end(), data_); }
    /// Whether the word at an address of the machine is in it and differs.
    bool differs_at(vm::Address address) const {
        constexpr std::size_t size = sizeof(std::uint32_t);
        return address >= address_ && address + size <= address_ + range_.size &&
               std::memcmp(data_ + (address - address_), host_.data() + (address - address_),
                           size) != 0;
    }

  private:
    wire::ByteRange range_;
    wire::Span<std::byte> host_;
    vm::Address address_;
    std::byte* data_;
};

/// One launch, which can be run several times from the same start.
class Rehearsal {
  public:
    /// All of these must outlive it; `memory` holds what the buffers are to begin with.
    Rehearsal(const ir::Module& module, Observer& observer, const wire::KernelLaunch& launch,
              wire::Span<std::byte> memory)
        : observer_(observer), launch_(launch), memory_(memory),
          start_(memory.begin(), memory.end()) {
        vm::add_constants(global_memory_, module);
        for (const wire::ByteRange& range : joined_buffers(launch))
            buffers_.emplace_back(global_memory_, range, memory);
        std::vector<vm::Given> arguments;
        for (const LaunchArgument& argument : launch.arguments)
            arguments.push_back(given(argument));
        machine_.emplace(module, *module.function(launch.kernel), global_memory_,
                         std::move(arguments), observer);
        machine_->dimensions = launch.dimensions;
        for (std::size_t i = 0; i < launch.dimensions; ++i) {
            machine_->global_offset.at(i) = launch.global_offset.at(i);
            machine_->global_size.at(i) = launch.global_size.at(i);
            machine_->group_size.at(i) = std::max<std::size_t>(launch.work_group_size.at(i), 1);
        }
        std::set<std::size_t> write_only;
        for (const Buffer& buffer : buffers_) {
            if (is_write_only(buffer))
                write_only.insert(buffer.number());
        }
        observer.set_write_only(std::move(write_only));
    }

    /// `ends_only`: the first and the last group alone.
    void run(Manner manner, bool ends_only = false) {
        if (started_) {
            std::swap_ranges(start_.begin(), start_.end(), memory_.begin());
            for (const Buffer& buffer : buffers_)
                buffer.write();
            std::swap_ranges(start_.begin(), start_.end(), memory_.begin());
        }
        started_ = true;
        const std::size_t count = vm::volume(machine_->group_counts());
        std::vector<std::size_t> groups(count);
        std::iota(groups.begin(), groups.end(), std::size_t{0});
        if (manner.last_group_first)
            std::reverse(groups.begin(), groups.end());
        if (ends_only && count > 2)
            groups = {0, count - 1};
        observer_.set_manner(std::move(manner));
        observer_.on_launch_begins(*machine_);
        try {
            machine_->run(groups);
        } catch (const SeenEnough&) {
        }
        observer_.on_launch_ends();
    }

    std::size_t groups() const { return vm::volume(machine_->group_counts()); }

    /// Leaves in the memory what the last run has made of the buffers.
    void keep_results() const {
        for (const Buffer& buffer : buffers_)
            buffer.read_back();
    }
    /// Whether the last run has made something else of them than the one whose results are kept.
    bool differs() const {
        return std::any_of(buffers_.begin(), buffers_.end(),
                           [](const Buffer& buffer) { return buffer.differs(); });
    }
    bool differs_at(vm::Address address) const {
        return std::any_of(buffers_.begin(), buffers_.end(),
                           [&](const Buffer& buffer) { return buffer.differs_at(address); });
    }
    /// Which bytes of the memory the last run used.
    wire::Footprint footprint() const {
        wire::Footprint all{true, {}, {}, {}};
        for (const Buffer& buffer : buffers_) {
            if (all.known)
                observer_.footprint().add_to(all, buffer.number(), buffer.begin());
        }
        return all;
    }
    /// Of the last run.
    const Observer& observer() const { return observer_; }

  private:
    vm::Given given(const LaunchArgument& argument) const {
        vm::Given given;
        if (argument.kind == LaunchArgument::Kind::local) {
            given.local_size = argument.bytes.size;
        } else if (argument.kind == LaunchArgument::Kind::value) {
            const auto value = memory_.subspan(argument.bytes.offset, argument.bytes.size);
            given.value.assign(value.begin(), value.end());
        } else {
            vm::Address address = 0;
            for (const Buffer& buffer : buffers_) {
                if (buffer.contains(argument.bytes))
                    address = buffer.address_of(argument.bytes);
            }
            given.value.resize(sizeof address);
            std::memcpy(given.value.data(), &address, sizeof address);
        }
        return given;
    }
    /// Whether none of the arguments that share it may be read.
    bool is_write_only(const Buffer& buffer) const {
        return std::all_of(launch_.arguments.begin(), launch_.arguments.end(),
                           [&](const LaunchArgument& argument) {
                               return argument.kind != LaunchArgument::Kind::buffer ||
                                      !buffer.contains(argument.bytes) || argument.write_only;
                           });
    }

    Observer& observer_;
    const wire::KernelLaunch& launch_;
    wire::Span<std::byte> memory_;
    std::vector<std::byte> start_;
    vm::Memory global_memory_{ir::global_space};
    std::vector<Buffer> buffers_;
    std::optional<vm::Launch> machine_;
    bool started_ = false;
};

/// Lines where somebody gave up in the last run, and something came out otherwise for it than before
/// (`local_values`, and the results kept): the word itself, or anything where that is a lock.
std::vector<int> lost_updates(const Rehearsal& rehearsal, const Values& local_values) {
    const Observer& observer = rehearsal.observer();
    const bool any = observer.analysis().cut_short || rehearsal.differs();
    std::vector<int> lines;
    for (const Contention::GivenUp& one : observer.contention().given_up()) {
        const auto before = local_values.find(one.word);
        const auto now = observer.local_values().find(one.word);
        const bool other_value =
            before != local_values.end() && now != observer.local_values().end()
                ? before->second != now->second
                : rehearsal.differs_at(one.word);
        if (one.lock ? any : other_value)
            lines.push_back(one.line);
    }
    return lines;
}

/// Adds what goes wrong when work-items are in each other's way at the words that they compare and
/// swap. `keep`: keeps the results of that run.
void find_rivalry(wire::Analysis& analysis, Rehearsal& rehearsal, bool keep) {
    const Observer& observer = rehearsal.observer();
    const Rivals rivals = observer.rivals();
    if (rivals.empty())
        return;
    const Values local_values = observer.local_values();
    rehearsal.run({Contention(rivals, 1)});
    add_no_retry(analysis, lost_updates(rehearsal, local_values), gives_up);
    add_no_retry(analysis, observer.contention().broken_in(), goes_on);
    const std::vector<wire::Finding>& seen = observer.analysis().findings;
    add_new(analysis, seen, {kind::endless_loop, kind::lock_step_hang});
    // Those who are late may take another way, with mistakes of its own.
    if (!has(analysis, kind::no_retry))
        add_new(analysis, seen, {kind::data_race, kind::missing_fence});
    if (keep)
        rehearsal.keep_results();
    // Who tries some times and then goes on shows only where the lock stays taken for long.
    if (std::any_of(rivals.begin(), rivals.end(),
                    [](const auto& rival) { return rival.second.lock; })) {
        rehearsal.run({Contention(rivals, stubborn_failures)});
        add_no_retry(analysis, observer.contention().broken_in(), goes_on);
    }
}

/// Adds what goes wrong when the groups run in the opposite order, such as a race: what the first of
/// them had done without a lock, it may have handed on to all others with the lock. Whether there is
/// one.
bool find_races_in_reverse(wire::Analysis& analysis, Rehearsal& rehearsal) {
    const Observer& observer = rehearsal.observer();
    if (has(analysis, kind::data_race) || !observer.groups_meet())
        return false;
    rehearsal.run({{}, true});
    const wire::Analysis& seen = observer.analysis();
    if (has(seen, kind::endless_loop) || has(seen, kind::lock_step_hang) || !seen.failure.empty())
        return false; // they may wait for one another in their order
    add_new(analysis, seen.findings,
            {kind::data_race, kind::divergent_barrier, kind::out_of_bounds, kind::uninitialised});
    return has(analysis, kind::data_race);
}

/// Keeps the results of a run in which the work-items of each group come in the opposite order: what
/// they hand on to each other by atomic operations alone, nobody promises to be there in time. It is
/// for others to say whether results that differ are still right, as places in a queue are; `line`
/// is that of an atomic operation.
void find_order(wire::Analysis& analysis, Rehearsal& rehearsal, int line) {
    rehearsal.run({{}, false, false, true});
    const wire::Analysis& seen = rehearsal.observer().analysis();
    if (seen.cut_short || !seen.failure.empty())
        return; // they may wait for one another in their order
    if (rehearsal.differs())
        analysis.findings.push_back(
            {kind::data_race, analysis.work.kernel, line, 0,
             "the result depends on the order of the work-items, and between two barriers they run "
             "in any order: the atomic operation at line " +
                 std::to_string(line) + " finds what others have left by then, or have not",
             1});
    rehearsal.keep_results();
}

/// Says so of races that were none if atomic operations were fences. `in_reverse`: how they were
/// found.
void explain_races(wire::Analysis& analysis, Rehearsal& rehearsal, bool in_reverse) {
    const Observer& observer = rehearsal.observer();
    if (!has(analysis, kind::data_race) || !observer.uses_atomics())
        return;
    rehearsal.run({{}, in_reverse, true});
    const wire::Analysis& fenced = observer.analysis();
    if (fenced.cut_short || !fenced.failure.empty())
        return;
    for (wire::Finding& race : analysis.findings) {
        const bool stays = std::any_of(
            fenced.findings.begin(), fenced.findings.end(), [&](const wire::Finding& other) {
                return other.kind == kind::data_race && other.line == race.line;
            });
        if (race.kind == kind::data_race && !stays)
            race.message += "; atomic operations order nothing but themselves: a mem_fence() is "
                            "missing before the one that lets another work-item go on, or after "
                            "the one that finds out";
    }
}

/// Throws for a launch that is not sound.
void check(const ir::Module& module, const wire::KernelLaunch& launch,
           wire::Span<std::byte> memory) {
    for (const LaunchArgument& argument : launch.arguments) {
        const wire::ByteRange& bytes = argument.bytes;
        if (argument.kind != LaunchArgument::Kind::local &&
            (bytes.offset > memory.size() || bytes.size > memory.size() - bytes.offset))
            throw std::runtime_error("an argument lies outside the memory that came with it");
    }
    const ir::Function* kernel = module.function(launch.kernel);
    if (kernel == nullptr || !kernel->is_kernel)
        throw std::runtime_error("the kernel file has no kernel " + launch.kernel);
    if (kernel->arguments.size() != launch.arguments.size())
        throw std::runtime_error("kernel " + launch.kernel + " was launched with " +
                                 std::to_string(launch.arguments.size()) + " arguments of " +
                                 std::to_string(kernel->arguments.size()));
}

} // namespace

Interpreter::Interpreter() : observer_(std::make_unique<Observer>()) {}

Interpreter::~Interpreter() = default;

const ir::Module& Interpreter::build(const wire::ProgramSource& source) {
    auto& program = programs_[{source.source, source.options}];
    if (!program)
        program = std::make_unique<ir::Module>(compile(source.source, source.options));
    return *program;
}

wire::Analysis Interpreter::run(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                                wire::Span<std::byte> memory, bool contended) {
    wire::Analysis analysis;
    try {
        const ir::Module& module = build(source);
        check(module, launch, memory);
        Rehearsal rehearsal(module, *observer_, launch, memory);
        rehearsal.run({});
        analysis = observer_->analysis();
        analysis.footprint = rehearsal.footprint();
        rehearsal.keep_results();
        if (analysis.cut_short)
            return analysis;
        explain_races(analysis, rehearsal, false);
        const int look = observer_->first_look();
        const bool any_rivals = !observer_->rivals().empty();
        find_rivalry(analysis, rehearsal, contended);
        if (find_races_in_reverse(analysis, rehearsal))
            explain_races(analysis, rehearsal, true);
        if (contended && !any_rivals && look != 0)
            find_order(analysis, rehearsal, look);
    } catch (const std::exception& error) {
        analysis.failure = error.what();
    }
    return analysis;
}

wire::Analysis Interpreter::run_ends(const wire::ProgramSource& source,
                                     const wire::KernelLaunch& launch,
                                     wire::Span<std::byte> memory) {
    wire::Analysis analysis;
    try {
        const ir::Module& module = build(source);
        check(module, launch, memory);
        Rehearsal rehearsal(module, *observer_, launch, memory);
        const bool has_others = rehearsal.groups() > 2;
        rehearsal.run({}, true);
        analysis = observer_->analysis();
        rehearsal.keep_results();
        if (has_others &&
            (has(analysis, kind::endless_loop) || has(analysis, kind::lock_step_hang)))
            return {};
    } catch (const std::exception& error) {
        analysis.failure = error.what();
    }
    return analysis;
}

} // namespace labgrind
