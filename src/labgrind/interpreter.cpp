#include "labgrind/interpreter.hpp"

#include "labgrind/findings.hpp"
#include "labgrind/observer.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace labgrind {
namespace {

using oclgrind::Size3;
using oclgrind::TypedValue;
using wire::LaunchArgument;

/// Without it some messages would have no line, and barriers in both branches become one.
constexpr const char* unoptimised = " -cl-opt-disable";

Size3 to_size(const std::array<std::size_t, 3>& sizes) { return {sizes[0], sizes[1], sizes[2]}; }

/// Memory of the interpreter's device that holds what some arguments of a launch share.
class DeviceBuffer {
  public:
    DeviceBuffer(oclgrind::Memory& memory, wire::ByteRange range, wire::Span<std::byte> bytes)
        : memory_(&memory), range_(range), host_(bytes.subspan(range.offset, range.size)),
          address_(memory.allocateBuffer(range.size, 0, data())) {
        if (address_ == 0)
            throw std::runtime_error("a buffer of " + std::to_string(range.size) +
                                     " bytes is too large to be interpreted");
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : memory_(other.memory_), range_(other.range_), host_(other.host_),
          address_(std::exchange(other.address_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&&) = delete;
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() {
        if (address_ != 0)
            memory_->deallocateBuffer(address_);
    }

    bool contains(const wire::ByteRange& part) const {
        return part.offset >= range_.offset &&
               part.offset + part.size <= range_.offset + range_.size;
    }
    std::size_t address_of(const wire::ByteRange& part) const {
        return address_ + (part.offset - range_.offset);
    }
    std::size_t number() const { return memory_->extractBuffer(address_); }
    std::size_t begin() const { return range_.offset; }
    void read_back() const { memory_->load(data(), address_, range_.size); }
    void write_again() const { memory_->store(data(), address_, range_.size); }
    bool differs() const {
        return std::memcmp(memory_->getPointer(address_), data(), range_.size) != 0;
    }
    /// Whether the word at an address of the device is in it and differs.
    bool differs_at(std::size_t address) const {
        constexpr std::size_t size = sizeof(std::uint32_t);
        return address >= address_ && address + size <= address_ + range_.size &&
               std::memcmp(memory_->getPointer(address), data() + (address - address_), size) != 0;
    }

  private:
    unsigned char* data() const {
        return reinterpret_cast<unsigned char*>(host_.data()); // NOLINT: Oclgrind's kind of byte
    }

    oclgrind::Memory* memory_;
    wire::ByteRange range_;
    wire::Span<std::byte> host_;
    std::size_t address_;
};

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

void set_argument(oclgrind::Kernel& kernel, unsigned index, const LaunchArgument& argument,
                  const std::vector<DeviceBuffer>& buffers, wire::Span<std::byte> memory) {
    TypedValue value{static_cast<unsigned>(argument.bytes.size), 1, nullptr};
    std::size_t address = 0;
    switch (argument.kind) {
    case LaunchArgument::Kind::local:
        break;
    case LaunchArgument::Kind::value:
        value.data = reinterpret_cast<unsigned char*>( // NOLINT: Oclgrind's kind of byte
            memory.data() + argument.bytes.offset);
        break;
    case LaunchArgument::Kind::buffer:
        for (const DeviceBuffer& buffer : buffers) {
            if (buffer.contains(argument.bytes))
                address = buffer.address_of(argument.bytes);
        }
        value.size = sizeof address;
        value.data = reinterpret_cast<unsigned char*>(&address); // NOLINT: likewise
        break;
    }
    kernel.setArgument(index, value);
}

void check(const wire::KernelLaunch& launch, wire::Span<std::byte> memory) {
    for (const LaunchArgument& argument : launch.arguments) {
        const wire::ByteRange& bytes = argument.bytes;
        if (argument.kind != LaunchArgument::Kind::local &&
            (bytes.offset > memory.size() || bytes.size > memory.size() - bytes.offset))
            throw std::runtime_error("an argument lies outside the memory that came with it");
    }
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

/// One launch, which can be run several times from the same start.
class Rehearsal {
  public:
    /// All of these must outlive it; `memory` holds what the buffers are to begin with.
    Rehearsal(const oclgrind::Context& context, Observer& observer, oclgrind::Kernel& kernel,
              const wire::KernelLaunch& launch, wire::Span<std::byte> memory)
        : context_(context), observer_(observer), kernel_(kernel), launch_(launch), memory_(memory),
          start_(memory.begin(), memory.end()) {
        for (const wire::ByteRange& range : joined_buffers(launch))
            buffers_.emplace_back(*context.getGlobalMemory(), range, memory);
        for (unsigned i = 0; i < launch.arguments.size(); ++i)
            set_argument(kernel, i, launch.arguments[i], buffers_, memory);
        std::set<std::size_t> write_only;
        for (const DeviceBuffer& buffer : buffers_) {
            if (is_write_only(buffer))
                write_only.insert(buffer.number());
        }
        observer.set_write_only(std::move(write_only));
    }

    void run(Manner manner) {
        if (started_) {
            std::swap_ranges(start_.begin(), start_.end(), memory_.begin());
            for (const DeviceBuffer& buffer : buffers_)
                buffer.write_again();
            std::swap_ranges(start_.begin(), start_.end(), memory_.begin());
        }
        started_ = true;
        observer_.set_manner(std::move(manner));
        oclgrind::KernelInvocation::run(
            &context_, &kernel_, launch_.dimensions, to_size(launch_.global_offset),
            to_size(launch_.global_size), to_size(launch_.work_group_size));
    }

    /// Leaves in the memory what the last run has made of the buffers.
    void keep_results() const {
        for (const DeviceBuffer& buffer : buffers_)
            buffer.read_back();
    }
    /// Whether the last run has made something else of them than the one whose results are kept.
    bool differs() const {
        return std::any_of(buffers_.begin(), buffers_.end(),
                           [](const DeviceBuffer& buffer) { return buffer.differs(); });
    }
    bool differs_at(std::size_t address) const {
        return std::any_of(buffers_.begin(), buffers_.end(),
                           [&](const DeviceBuffer& buffer) { return buffer.differs_at(address); });
    }
    /// Which bytes of the memory the last run used.
    wire::Footprint footprint() const {
        wire::Footprint all{true, {}, {}, {}};
        for (const DeviceBuffer& buffer : buffers_) {
            if (all.known)
                observer_.footprint().add_to(all, buffer.number(), buffer.begin());
        }
        return all;
    }
    /// Of the last run.
    const Observer& observer() const { return observer_; }

  private:
    /// Whether none of the arguments that share it may be read.
    bool is_write_only(const DeviceBuffer& buffer) const {
        return std::all_of(launch_.arguments.begin(), launch_.arguments.end(),
                           [&](const LaunchArgument& argument) {
                               return argument.kind != LaunchArgument::Kind::buffer ||
                                      !buffer.contains(argument.bytes) || argument.write_only;
                           });
    }

    const oclgrind::Context& context_;
    Observer& observer_;
    oclgrind::Kernel& kernel_;
    const wire::KernelLaunch& launch_;
    wire::Span<std::byte> memory_;
    std::vector<std::byte> start_;
    std::vector<DeviceBuffer> buffers_;
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

std::size_t groups_of(const wire::KernelLaunch& launch) {
    std::size_t groups = 1;
    for (std::size_t i = 0; i < launch.dimensions; ++i)
        groups *= launch.global_size.at(i) / std::max<std::size_t>(launch.work_group_size.at(i), 1);
    return groups;
}

/// While it lives, Oclgrind runs the first and the last group of a launch, if it is `wanted`.
class EndsOnly {
  public:
    explicit EndsOnly(bool wanted) {
        ::setenv(variable, wanted ? "1" : "0", 1); // NOLINT(concurrency-mt-unsafe): no thread
    }
    ~EndsOnly() { ::unsetenv(variable); } // NOLINT(concurrency-mt-unsafe): likewise
    EndsOnly(const EndsOnly&) = delete;
    EndsOnly& operator=(const EndsOnly&) = delete;
    EndsOnly(EndsOnly&&) = delete;
    EndsOnly& operator=(EndsOnly&&) = delete;

  private:
    static constexpr const char* variable = "OCLGRIND_QUICK";
};

/// Oclgrind tells of errors on stderr, in its own words, unless it is given a file.
std::unique_ptr<oclgrind::Context> quiet_context() {
    ::setenv("OCLGRIND_LOG", "/dev/null", 1); // NOLINT(concurrency-mt-unsafe): no thread yet
    return std::make_unique<oclgrind::Context>();
}

} // namespace

Interpreter::Interpreter()
    : context_(quiet_context()), observer_(std::make_unique<Observer>(context_.get())) {
    context_->registerPlugin(observer_.get());
}

Interpreter::~Interpreter() { context_->unregisterPlugin(observer_.get()); }

oclgrind::Program& Interpreter::build(const wire::ProgramSource& source) {
    auto& program = programs_[{source.source, source.options}];
    if (!program) {
        program = std::make_unique<oclgrind::Program>(context_.get(), source.source);
        program->build(oclgrind::Program::BUILD, (source.options + unoptimised).c_str());
    }
    if (program->getBuildStatus() != CL_BUILD_SUCCESS)
        throw std::runtime_error("Oclgrind does not compile the kernels:\n" +
                                 program->getBuildLog());
    return *program;
}

/// Throws for a launch that is not sound.
std::unique_ptr<oclgrind::Kernel> Interpreter::kernel_for(const wire::ProgramSource& source,
                                                          const wire::KernelLaunch& launch,
                                                          wire::Span<std::byte> memory) {
    check(launch, memory);
    std::unique_ptr<oclgrind::Kernel> kernel(build(source).createKernel(launch.kernel));
    if (!kernel)
        throw std::runtime_error("the kernel file has no kernel " + launch.kernel);
    if (kernel->getNumArguments() != launch.arguments.size())
        throw std::runtime_error("kernel " + launch.kernel + " was launched with " +
                                 std::to_string(launch.arguments.size()) + " arguments of " +
                                 std::to_string(kernel->getNumArguments()));
    return kernel;
}

wire::Analysis Interpreter::run(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                                wire::Span<std::byte> memory, bool contended) {
    wire::Analysis analysis;
    try {
        const auto kernel = kernel_for(source, launch, memory);
        Rehearsal rehearsal(*context_, *observer_, *kernel, launch, memory);
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
        const auto kernel = kernel_for(source, launch, memory);
        Rehearsal rehearsal(*context_, *observer_, *kernel, launch, memory);
        const bool has_others = groups_of(launch) > 2;
        const EndsOnly ends_only(has_others);
        rehearsal.run({});
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
