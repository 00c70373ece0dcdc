#include "runner/remote_launch.hpp"

#include "runner/recorder.hpp"
#include "wire/regions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace runner {
namespace {

using Kind = wire::LaunchArgument::Kind;

/// A region and the buffer that holds it on the device.
struct Placed {
    wire::Region region;
    cl::Buffer buffer;
};

std::vector<Placed> placed(const std::vector<wire::Region>& regions) {
    std::vector<Placed> all;
    all.reserve(regions.size());
    for (const wire::Region& region : regions)
        all.push_back({region, {}});
    return all;
}

cl::NDRange range_of(const std::array<std::size_t, 3>& size, unsigned dimensions) {
    if (dimensions == 1)
        return {size[0]};
    return dimensions == 2 ? cl::NDRange(size[0], size[1]) : cl::NDRange(size[0], size[1], size[2]);
}

/// One launch, ready to be made any number of times.
class RemoteLaunch {
  public:
    RemoteLaunch(const wire::KernelLaunch& launch, const Setup& setup, wire::Span<std::byte> memory)
        : launch_(launch), setup_(setup), memory_(memory),
          regions_(placed(wire::regions_of(launch))),
          kernel_(setup.program, launch.kernel.c_str()) {
        for (auto& [region, buffer] : regions_) {
            const cl_mem_flags access = region.read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
            buffer = cl::Buffer(setup.context, access | CL_MEM_COPY_HOST_PTR, region.bytes.size,
                                bytes_of(region));
        }
        cl_uint index = 0;
        for (const wire::LaunchArgument& argument : launch.arguments)
            set(index++, argument);
    }

    cl::Event enqueue() const {
        cl::Event event;
        const cl::NDRange group = wire::volume(launch_.work_group_size) == 0
                                      ? cl::NDRange()
                                      : range_of(launch_.work_group_size, launch_.dimensions);
        setup_.queue.enqueueNDRangeKernel(
            kernel_, range_of(launch_.global_offset, launch_.dimensions),
            range_of(launch_.global_size, launch_.dimensions), group, nullptr, &event);
        return event;
    }

    /// Waits, and brings the buffers' contents back into the memory. What a kernel has changed is
    /// kept as it was before, for restore().
    void read_back(bool keep_before) {
        for (const auto& [region, buffer] : regions_) {
            std::vector<std::byte> before;
            if (keep_before)
                before.assign(bytes_of(region), bytes_of(region) + region.bytes.size);
            setup_.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, region.bytes.size, bytes_of(region));
            if (keep_before && !std::equal(before.begin(), before.end(), bytes_of(region)))
                kept_.emplace_back(buffer, cl::Buffer(setup_.context, CL_MEM_COPY_HOST_PTR,
                                                      before.size(), before.data()));
        }
    }

    /// Puts the buffers back to what they were before the first launch.
    void restore() const {
        for (const auto& [buffer, before] : kept_)
            setup_.queue.enqueueCopyBuffer(before, buffer, 0, 0, before.getInfo<CL_MEM_SIZE>());
        setup_.queue.finish();
    }

  private:
    std::byte* bytes_of(const wire::Region& region) const {
        return memory_.data() + region.bytes.offset;
    }

    void set(cl_uint index, const wire::LaunchArgument& argument) {
        if (argument.kind == Kind::local)
            kernel_.setArg(index, cl::Local(argument.bytes.size));
        else if (argument.kind == Kind::value)
            kernel_.setArg(index, argument.bytes.size, memory_.data() + argument.bytes.offset);
        else
            kernel_.setArg(index, parts_.emplace_back(part_at(argument.bytes)));
    }

    cl::Buffer part_at(const wire::ByteRange& bytes) const {
        const auto found =
            std::find_if(regions_.begin(), regions_.end(), [&](const Placed& candidate) {
                return candidate.region.bytes.offset <= bytes.offset &&
                       bytes.offset < candidate.region.end();
            });
        if (found == regions_.end())
            throw std::runtime_error("a launch has a buffer without a byte");
        if (found->region.bytes.size == bytes.size)
            return found->buffer;
        const cl_buffer_region part{bytes.offset - found->region.bytes.offset, bytes.size};
        return cl::Buffer(found->buffer).createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &part);
    }

    const wire::KernelLaunch& launch_;
    Setup setup_;
    wire::Span<std::byte> memory_;
    std::vector<Placed> regions_;
    std::vector<cl::Buffer> parts_; ///< the kernel's arguments: it does not keep them itself
    cl::Kernel kernel_;
    std::vector<std::pair<cl::Buffer, cl::Buffer>> kept_; ///< what has changed, and from what
};

} // namespace

void carry_out(const wire::CarryOut& request, Workplace& workplace, const cl::Program& program,
               wire::Span<std::byte> memory, wire::Journal& journal, wire::CallReply& reply) {
    Recorder::Settings settings{request.limits, request.checked, request.guard};
    recorder().begin(journal, settings);
    RemoteLaunch launch(request.launch, workplace.setup(program), memory);
    launch.enqueue();
    launch.read_back(request.rounds > 0);
    Evidence evidence = recorder().end();
    reply.launches = std::move(evidence.launches);
    reply.guard_hits = std::move(evidence.guard_hits);
    reply.read_only_hits = std::move(evidence.read_only_hits);
    if (request.rounds == 0)
        return;

    // A B B A in each round, so that a drift of the machine's speed meets both alike.
    const bool has_baseline = !request.baseline.kernel.empty();
    const cl::Kernel baseline = has_baseline ? workplace.prepare(request.baseline) : cl::Kernel();
    const auto time_launch = [&] {
        launch.restore();
        reply.function_times.push_back(duration(launch.enqueue()));
    };
    const auto time_baseline = [&] {
        if (has_baseline)
            reply.baseline_times.push_back(workplace.time(baseline, request.baseline));
    };
    time_baseline(); // the first one pays for what is done once
    reply.baseline_times.clear();
    for (int round = 0; round < request.rounds; ++round) {
        time_launch();
        time_baseline();
        time_baseline();
        time_launch();
    }
}

} // namespace runner
