#include "runner/launcher.hpp"

#include "runner/device_limits.hpp"
#include "runner/launch_memory.hpp"
#include "runner/real_calls.hpp"

#include <algorithm>
#include <exception>

namespace runner {
namespace {

using Reason = wire::FailedCall::Reason;

bool& timing() {
    static thread_local bool is_timing = false;
    return is_timing;
}

/// As long as it exists, the calls of this thread are not the host's.
class Timing {
  public:
    Timing() { timing() = true; }
    Timing(const Timing&) = delete;
    Timing& operator=(const Timing&) = delete;
    ~Timing() { timing() = false; }
};

/// Which buffer is too large for a parameter in constant memory. Not every device checks that.
std::optional<wire::FailedCall> too_large_constant(const NdRange& range,
                                                   const std::vector<SetArgument>& arguments) {
    constexpr std::size_t always_fits = std::size_t{64} << 10;
    for (const SetArgument& argument : arguments) {
        cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
        if (argument.known.size <= always_fits ||
            clGetKernelArgInfo(range.kernel, argument.index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                               sizeof space, &space, nullptr) != CL_SUCCESS ||
            space != CL_KERNEL_ARG_ADDRESS_CONSTANT)
            continue;
        const auto most = cl::CommandQueue(range.queue, true)
                              .getInfo<CL_QUEUE_DEVICE>()
                              .getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>();
        if (argument.known.size > most)
            return wire::FailedCall{.code = CL_OUT_OF_RESOURCES,
                                    .reason = Reason::large_constant,
                                    .index = argument.index,
                                    .size = argument.known.size,
                                    .limit = most};
    }
    return std::nullopt;
}

} // namespace

bool Launcher::is_timing() { return timing(); }

/// What is wrong with the state of an argument's buffer.
std::optional<wire::FailedCall>
Launcher::unusable_argument(const std::vector<SetArgument>& arguments) const {
    for (const SetArgument& argument : arguments) {
        if (argument.buffer == nullptr)
            continue;
        const bool is_mapped = mappings_.is_mapped_for_writing(argument.buffer);
        if (is_mapped || guarded_.is_released(argument.buffer))
            return wire::FailedCall{.code = CL_INVALID_MEM_OBJECT,
                                    .reason =
                                        is_mapped ? Reason::mapped_buffer : Reason::released_buffer,
                                    .index = argument.index};
    }
    return std::nullopt;
}

std::optional<wire::FailedCall> Launcher::refusal(const NdRange& range, const wire::Launch& launch,
                                                  const std::vector<SetArgument>& arguments) const {
    if (auto refused = refusal_by(settings_.limits, launch))
        return refused;
    // Some devices accept this, and do not wait.
    const cl_event* const end = range.wait_list + range.wait_count;
    if (const cl_event* const empty = std::find(range.wait_list, end, nullptr); empty != end)
        return wire::FailedCall{.code = CL_INVALID_EVENT_WAIT_LIST,
                                .reason = Reason::empty_event,
                                .index = static_cast<std::uint64_t>(empty - range.wait_list)};
    // The programs are OpenCL C 1.2, so OpenCL refuses these sizes; it is not asked if the launch runs
    // elsewhere.
    if (!has_even_groups(launch))
        return wire::FailedCall{.code = CL_INVALID_WORK_GROUP_SIZE}; // the sizes say why
    if (runs_elsewhere() && wire::volume(launch.global_size) == 0)
        return wire::FailedCall{.code = CL_INVALID_GLOBAL_WORK_SIZE,
                                .reason = Reason::no_work_items};
    const cl::Kernel launched(range.kernel, true);
    if (settings_.program != nullptr &&
        launched.getInfo<CL_KERNEL_PROGRAM>()() != settings_.program)
        return wire::FailedCall{.code = CL_INVALID_KERNEL, .reason = Reason::other_program};
    const auto count = launched.getInfo<CL_KERNEL_NUM_ARGS>();
    for (cl_uint index = 0; index < count; ++index) {
        if (std::ranges::none_of(arguments,
                                 [&](const SetArgument& one) { return one.index == index; }))
            return wire::FailedCall{.code = CL_INVALID_KERNEL_ARGS,
                                    .reason = Reason::argument_not_set,
                                    .index = index,
                                    .limit = count};
    }
    if (auto refused = too_large_constant(range, arguments))
        return refused;
    return unusable_argument(arguments);
}

/// Sends the contents of the kernel's buffers, and fills the buffers with the kernel's results.
/// Throws what the launcher throws, and cl::Error.
wire::LaunchDone Launcher::send_elsewhere(const NdRange& range, const wire::Launch& launch,
                                          const std::vector<SetArgument>& arguments) const {
    REAL_CALL(clFinish)(range.queue);
    LaunchMemory memory(range.queue);
    for (const SetArgument& argument : arguments)
        memory.add(argument.given, argument.buffer);
    wire::KernelLaunch request;
    request.kernel = launch.kernel;
    request.dimensions = range.dimensions;
    request.global_size = launch.global_size;
    request.work_group_size = launch.work_group_size;
    request.global_offset = launch.global_offset;
    request.arguments = memory.arrange();
    request.memory_size = memory.size();
    const wire::UniqueFd file = memory.write_out();
    wire::LaunchDone done = settings_.elsewhere(request, file);
    if (done.error.empty())
        memory.read_back(file);
    return done;
}

/// Times a launch that the host is about to make. Its buffers have the same contents before and
/// after. Throws cl::Error.
void Launcher::time_launch(const NdRange& range, const std::vector<SetArgument>& arguments) const {
    const Timing timing;
    REAL_CALL(clFinish)(range.queue);
    std::vector<cl::Buffer> results;
    for (const SetArgument& argument : arguments) {
        if (argument.is_writable_buffer())
            results.emplace_back(argument.buffer, true);
    }
    const cl::CommandQueue own_queue(settings_.queue, true);
    const KeptContents start(own_queue, results);
    settings_.timer([&] {
        start.restore();
        cl_event event = nullptr;
        NdRange again = range;
        again.queue = own_queue();
        again.wait_count = 0;
        again.wait_list = nullptr;
        again.event = &event;
        const cl_int error = enqueue(again);
        if (error != CL_SUCCESS)
            throw cl::Error(error, "clEnqueueNDRangeKernel");
        return cl::Event(event);
    });
    start.restore();
}

wire::LaunchDone Launcher::run_before(const NdRange& range, const wire::Launch& launch,
                                      const std::vector<SetArgument>& arguments) const {
    if (settings_.withhold_kernels || (!settings_.elsewhere && !settings_.timer))
        return {};
    if (range.wait_count != 0)
        REAL_CALL(clWaitForEvents)(range.wait_count, range.wait_list);
    try {
        if (settings_.elsewhere)
            return send_elsewhere(range, launch, arguments);
        time_launch(range, arguments);
    } catch (const cl::Error& failure) {
        return {failure.what(), failure.err()};
    } catch (const std::exception& failure) { // C functions must not throw
        return {failure.what()};
    }
    return {};
}

} // namespace runner
