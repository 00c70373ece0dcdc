#include "grader/failed_calls.hpp"

#include "report/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace grader {
namespace {

using Reason = wire::FailedCall::Reason;
using Request = wire::FailedCall::Request;
using report::count_of;

using Sizes = std::array<std::uint64_t, 3>;

/// "64 x 2".
std::string to_text(const Sizes& sizes) {
    std::string text = std::to_string(sizes[0]);
    for (std::size_t i = 1; i < sizes.size() && sizes[i] > 1; ++i)
        text += " x " + std::to_string(sizes[i]);
    return text;
}

std::string describe_buffer(const wire::FailedCall& call) {
    std::string text = "a buffer of " + count_of(call.size, "byte");
    if (call.size == 0)
        return text +
               ": which factor of its size is 0 for this input, such as the size of a vector, or a "
               "number of groups that was rounded down?";
    if (call.has_pointer != 0 && call.needs_pointer == 0)
        return text + " with a host pointer, but without CL_MEM_COPY_HOST_PTR";
    if (call.has_pointer == 0 && call.needs_pointer != 0)
        return text +
               " with CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR, but without a host pointer";
    return text;
}

/// How offset and size of a fill do not fit its pattern; "" if they do.
std::string explain_pattern(const wire::FailedCall& call) {
    const auto are_multiples_of = [&](std::uint64_t bytes) {
        return call.offset % bytes == 0 && call.size % bytes == 0;
    };
    if (call.pattern_size == 0 || are_multiples_of(call.pattern_size))
        return "";
    const bool is_double = call.pattern_size == sizeof(double) && are_multiples_of(sizeof(float));
    return "; both are in bytes, and must be multiples of the size of the pattern, the second "
           "argument: " +
           std::to_string(call.pattern_size) + " bytes" +
           (is_double ? ": is the pattern a double, such as 0.0? 0.0f is a float of 4 bytes" : "");
}

/// "64 bytes at offset 8 of a buffer of 32 bytes".
std::string describe_part(const wire::FailedCall& call) {
    return std::to_string(call.size) + " bytes at offset " + std::to_string(call.offset) +
           " of a buffer of " + count_of(call.limit, "byte");
}

/// Which number below 0 the size or the offset is; "" if neither is.
std::string explain_wrapping(const wire::FailedCall& call) {
    constexpr auto largest = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    if (call.size <= largest && call.offset <= largest)
        return "";
    const std::string wraps = "; such a large number is a negative number that wrapped around: ";
    const std::uint64_t end = call.offset + call.size; // wraps around, too
    if (call.offset > largest || end >= call.offset)
        return wraps + "a subtraction went below 0";
    return wraps + "the size is " + std::to_string(end) + " - " + std::to_string(call.offset) +
           (end == call.limit ? ", because the offset lies beyond the end of the buffer: is the "
                                "buffer too small, or the offset too large?"
                              : ", which is below 0: is the first number too small, or the second "
                                "one too large?");
}

std::string describe_transfer(const wire::FailedCall& call) {
    const std::string wraps = explain_wrapping(call);
    const bool begins_at_end = wraps.empty() && call.offset == call.limit && call.limit != 0;
    return describe_part(call) +
           (call.has_pointer == 0 ? "; the host pointer is null, like that of an empty vector"
                                  : "") +
           explain_pattern(call) + wraps +
           (begins_at_end ? "; it begins where the buffer ends: is the buffer too small?" : "");
}

std::string describe_argument(const wire::FailedCall& call) {
    return "argument " + std::to_string(call.index) + " of kernel " + wire::text_of(call.kernel) +
           " (" + (call.has_pointer == 0 ? "local memory, " : "") + std::to_string(call.size) +
           " bytes); the kernel has arguments 0 to " +
           std::to_string(static_cast<std::int64_t>(call.limit) - 1);
}

std::string describe_launch(const wire::FailedCall& call) {
    const bool is_left_open = call.work_group_size == Sizes{0, 0, 0};
    return "kernel " + wire::text_of(call.kernel) + ", global size " + to_text(call.global_size) +
           ", work-group size " +
           (is_left_open ? "left to OpenCL" : to_text(call.work_group_size)) + ", " +
           std::to_string(call.local_memory) + " bytes of local memory passed as arguments";
}

/// Why the global size does not fit the work-group size; "" if it does.
std::string explain_sizes(const wire::FailedCall& call) {
    for (std::size_t i = 0; i < call.global_size.size(); ++i) {
        const std::uint64_t global = call.global_size.at(i);
        const std::uint64_t group = call.work_group_size.at(i);
        if (group == 0 || global % group == 0)
            continue;
        const std::string if_groups = global == 1 || global > group
                                          ? ""
                                          : ", or " + std::to_string(global * group) + " if " +
                                                std::to_string(global) + " is the number of groups";
        return "the global size, " + std::to_string(global) +
               ", must be a multiple of the work-group size, " + std::to_string(group) +
               ": it is the number of all work-items, groups * work-group size, such as " +
               std::to_string((global / group + 1) * group) + if_groups;
    }
    return "";
}

std::string what_it_asks_for(const wire::FailedCall& call) {
    switch (call.request) {
    case Request::kernel:
        return "kernel name " + wire::text_of(call.kernel);
    case Request::buffer:
        return describe_buffer(call);
    case Request::part:
        return describe_part(call) + "; both are in bytes, and the offset must be a multiple of "
                                     "CL_DEVICE_MEM_BASE_ADDR_ALIGN, which is in bits";
    case Request::transfer:
        return describe_transfer(call);
    case Request::argument:
        return describe_argument(call);
    case Request::launch:
        return describe_launch(call);
    case Request::other:
        break;
    }
    return "";
}

} // namespace

std::string reason_of(const wire::FailedCall& call) {
    const std::string argument = "argument " + std::to_string(call.index) + " ";
    const std::string limit = std::to_string(call.limit);
    switch (call.reason) {
    case Reason::unknown:
        return explain_sizes(call);
    case Reason::large_group:
        return "this device allows " + limit + " work-items per group";
    case Reason::local_memory:
        return "this device has " + limit + " bytes of local memory per group";
    case Reason::empty_event:
        return "event " + std::to_string(call.index) +
               " of the wait list is an empty cl::Event: pass its address as the event of a "
               "command first";
    case Reason::no_work_items:
        return "there are no work-items";
    case Reason::other_program:
        return "the kernel is not from setup.program of this call: create it in each call; do not "
               "keep it, for example in a static variable";
    case Reason::argument_not_set:
        return argument + "is not set yet: the kernel has " + limit + " arguments";
    case Reason::large_constant:
        return argument + "is a __constant parameter, for which this device allows " + limit +
               " bytes, but its buffer has " + std::to_string(call.size) +
               ": declare it as __global const";
    case Reason::mapped_buffer:
        return argument + "is a buffer that is mapped for writing: call enqueueUnmapMemObject "
                          "before the launch";
    case Reason::released_buffer:
        return argument +
               "is a buffer that was released before the launch: a local cl::Buffer is destroyed "
               "at the end of its block, so keep it until then. If two functions share this "
               "cl::Kernel, set its arguments before each launch";
    case Reason::short_input:
        return std::to_string(call.size) + " bytes from the input `data`, which has only " + limit +
               " bytes: copy fewer bytes, or copy from a vector that has been padded";
    case Reason::unprofiled_queue:
        return "a time of an event whose queue your code created without "
               "CL_QUEUE_PROFILING_ENABLE; setup.queue has it";
    case Reason::kept_buffer:
        return "the buffer is from an earlier call of your function: create it in each call; do "
               "not keep it, for example in a static variable";
    case Reason::failed_in_executor:
        return wire::text_of(call.executor);
    case Reason::not_mapped:
        return "the pointer is not one that enqueueMapBuffer returned for this buffer: unmap the "
               "buffer that was mapped";
    }
    return "";
}

std::string describe_call(const wire::FailedCall& call) {
    const std::string asked = what_it_asks_for(call);
    const std::string reason = reason_of(call);
    return asked + (asked.empty() || reason.empty() ? "" : "; ") + reason;
}

} // namespace grader
