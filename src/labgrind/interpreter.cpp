#include "labgrind/interpreter.hpp"

#include "labgrind/findings.hpp"
#include "labgrind/observer.hpp"

#include <algorithm>
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

bool has(const wire::Analysis& analysis, const std::string& kind) {
    return std::any_of(analysis.findings.begin(), analysis.findings.end(),
                       [&](const wire::Finding& one) { return one.kind == kind; });
}

using Values = std::map<std::uint64_t, std::uint64_t>;

/// Lines where somebody gave up in the launch that has just ended, and something came out otherwise
/// for it than before (`local_values`, and the buffers' host side): the word itself, or anything
/// where that is a lock.
std::vector<int> lost_updates(const Observer& observer, const Values& local_values,
                              const std::vector<DeviceBuffer>& buffers) {
    const bool any = observer.analysis().cut_short ||
                     std::any_of(buffers.begin(), buffers.end(),
                                 [](const DeviceBuffer& buffer) { return buffer.differs(); });
    std::vector<int> lines;
    for (const Contention::GivenUp& one : observer.contention().given_up()) {
        const auto before = local_values.find(one.word);
        const auto now = observer.local_values().find(one.word);
        const bool other_value =
            before != local_values.end() && now != observer.local_values().end()
                ? before->second != now->second
                : std::any_of(buffers.begin(), buffers.end(), [&](const DeviceBuffer& buffer) {
                      return buffer.differs_at(one.word);
                  });
        if (one.lock ? any : other_value)
            lines.push_back(one.line);
    }
    return lines;
}

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

wire::Analysis Interpreter::run(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                                wire::Span<std::byte> memory, bool contended) {
    wire::Analysis analysis;
    try {
        check(launch, memory);
        const std::unique_ptr<oclgrind::Kernel> kernel(build(source).createKernel(launch.kernel));
        if (!kernel)
            throw std::runtime_error("the kernel file has no kernel " + launch.kernel);
        if (kernel->getNumArguments() != launch.arguments.size())
            throw std::runtime_error("kernel " + launch.kernel + " was launched with " +
                                     std::to_string(launch.arguments.size()) + " arguments of " +
                                     std::to_string(kernel->getNumArguments()));
        std::vector<DeviceBuffer> buffers;
        for (const wire::ByteRange& range : joined_buffers(launch))
            buffers.emplace_back(*context_->getGlobalMemory(), range, memory);
        for (unsigned i = 0; i < launch.arguments.size(); ++i)
            set_argument(*kernel, i, launch.arguments[i], buffers, memory);
        const auto run_once = [&] {
            oclgrind::KernelInvocation::run(
                context_.get(), kernel.get(), launch.dimensions, to_size(launch.global_offset),
                to_size(launch.global_size), to_size(launch.work_group_size));
        };
        const std::vector<std::byte> before(memory.begin(), memory.end());
        const auto run_contended = [&](const Rivals& rivals, unsigned failures) {
            const std::vector<std::byte> after(memory.begin(), memory.end());
            std::copy(before.begin(), before.end(), memory.begin());
            for (const DeviceBuffer& buffer : buffers)
                buffer.write_again();
            std::copy(after.begin(), after.end(), memory.begin());
            observer_->contend({rivals, failures});
            run_once();
        };
        run_once();
        analysis = observer_->analysis();
        for (const DeviceBuffer& buffer : buffers)
            buffer.read_back();
        const Rivals rivals = observer_->rivals();
        const Values local_values = observer_->local_values();
        if (rivals.empty() || analysis.cut_short)
            return analysis;

        run_contended(rivals, 1);
        add_no_retry(analysis, lost_updates(*observer_, local_values, buffers), gives_up);
        add_no_retry(analysis, observer_->contention().broken_in(), goes_on);
        for (const wire::Finding& finding : observer_->analysis().findings) {
            const bool shows_then =
                finding.kind == kind::endless_loop || finding.kind == kind::lock_step_hang;
            if (shows_then && !has(analysis, finding.kind))
                analysis.findings.push_back(finding);
        }
        if (contended) {
            for (const DeviceBuffer& buffer : buffers)
                buffer.read_back();
        }
        // Who tries some times and then goes on shows only where the lock stays taken for long.
        if (std::any_of(rivals.begin(), rivals.end(),
                        [](const auto& rival) { return rival.second.lock; })) {
            run_contended(rivals, stubborn_failures);
            add_no_retry(analysis, observer_->contention().broken_in(), goes_on);
        }
    } catch (const std::exception& error) {
        analysis.failure = error.what();
    }
    return analysis;
}

} // namespace labgrind
