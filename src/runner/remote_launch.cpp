#include "runner/remote_launch.hpp"

#include "runner/recorder.hpp"
#include "runner/stopwatch.hpp"
#include "wire/regions.hpp"

#include <algorithm>
#include <optional>
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
    RemoteLaunch(const wire::KernelLaunch& launch, const Setup& setup, std::span<std::byte> memory)
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

    /// Waits, and copies the buffers' contents back into the memory.
    void read_back() {
        for (const auto& [region, buffer] : regions_)
            setup_.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, region.bytes.size, bytes_of(region));
    }

    /// Returns the buffers that the kernel can change.
    std::vector<cl::Buffer> results() const {
        std::vector<cl::Buffer> results;
        for (const auto& [region, buffer] : regions_) {
            if (!region.read_only)
                results.push_back(buffer);
        }
        return results;
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
        const auto found = std::ranges::find_if(regions_, [&](const Placed& candidate) {
            return candidate.region.bytes.offset <= bytes.offset &&
                   bytes.offset < candidate.region.end();
        });
        if (found == regions_.end())
            throw std::runtime_error("a launch has an empty buffer");
        if (found->region.bytes.size == bytes.size)
            return found->buffer;
        const cl_buffer_region part{bytes.offset - found->region.bytes.offset, bytes.size};
        return cl::Buffer(found->buffer).createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &part);
    }

    const wire::KernelLaunch& launch_;
    Setup setup_;
    std::span<std::byte> memory_;
    std::vector<Placed> regions_;
    std::vector<cl::Buffer> parts_; ///< the kernel's arguments, which it does not keep itself
    cl::Kernel kernel_;
};

} // namespace

void carry_out(const wire::CarryOut& request, Workplace& workplace, const cl::Program& program,
               std::span<std::byte> memory, wire::Journal& journal, wire::CallReply& reply) {
    const Setup setup = workplace.setup(program);
    recorder().begin(journal, {request.limits, request.checked, request.guard});
    RemoteLaunch launch(request.launch, setup, memory);
    std::optional<KeptContents> start;
    if (request.rounds > 0)
        start.emplace(setup.queue, launch.results());
    launch.enqueue();
    launch.read_back();
    wire::Evidence evidence = recorder().end();
    reply.launches = std::move(evidence.launches);
    reply.guard_hits = std::move(evidence.guard_hits);
    reply.read_only_hits = std::move(evidence.read_only_hits);
    if (!start)
        return;
    Stopwatch stopwatch(workplace, request.baseline, request.rounds, request.seconds, reply);
    stopwatch.time([&] {
        start->restore();
        return launch.enqueue();
    });
}

} // namespace runner
