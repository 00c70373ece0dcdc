#include "grader/sealed_call.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace grader {
namespace {

using Kind = wire::LaunchArgument::Kind;

constexpr std::size_t max_arguments = 16;
constexpr std::size_t max_name = 256;
/// More than any solution of a lab needs. The time of each launch can leak information to the host,
/// but this few launches cannot leak the data.
constexpr std::size_t max_launches = 256;
constexpr std::size_t max_local_memory = std::size_t{1} << 24;

wire::LaunchDone refused(const std::string& why) { return {why}; }

/// Whether its sizes are valid for a launch: what is reported about them is what the device makes
/// of them.
bool has_sound_sizes(const wire::KernelLaunch& launch) {
    if (launch.dimensions < 1 || launch.dimensions > 3)
        return false;
    const bool left_open = launch.work_group_size == std::array<std::size_t, 3>{0, 0, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        const bool used = i < launch.dimensions;
        const bool items = used ? launch.global_size[i] != 0
                                : launch.global_size[i] == 1 && launch.global_offset[i] == 0;
        const bool group = used ? launch.work_group_size[i] != 0 : launch.work_group_size[i] == 1;
        if (!items || !(group || left_open))
            return false;
    }
    return true;
}

/// Whether all sizes of `launch` are usable.
bool is_sound(const wire::KernelLaunch& launch, std::size_t max_memory) {
    const auto fits = [&](const wire::LaunchArgument& argument) {
        const wire::ByteRange& bytes = argument.bytes;
        if (argument.kind == Kind::local)
            return bytes.size <= max_local_memory;
        return bytes.offset % sizeof(std::uint32_t) == 0 && bytes.offset <= launch.memory_size &&
               bytes.size <= launch.memory_size - bytes.offset;
    };
    return launch.memory_size <= max_memory && launch.arguments.size() <= max_arguments &&
           launch.kernel.size() <= max_name && launch.kernel.find('\0') == std::string::npos &&
           has_sound_sizes(launch) && std::ranges::all_of(launch.arguments, fits);
}

/// The size of a memory file that cannot be resized; nothing if `memory` is not one.
std::optional<std::size_t> fixed_size(const wire::UniqueFd& memory) {
    constexpr int fixed = F_SEAL_SHRINK | F_SEAL_GROW;
    const int seals = ::fcntl(memory.get(), F_GET_SEALS);
    struct stat status {};
    if (seals < 0 || (seals & fixed) != fixed || ::fstat(memory.get(), &status) != 0 ||
        !S_ISREG(status.st_mode))
        return std::nullopt;
    return static_cast<std::size_t>(status.st_size);
}

/// Moves `bytes` with `transfer`, which is pread or pwrite. Returns whether all of them were moved.
template <class Byte, class Transfer> bool transfer_all(const wire::UniqueFd& file,
                                                        std::span<Byte> bytes, std::size_t offset,
                                                        const Transfer& transfer) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = transfer(file.get(), bytes.data() + done, bytes.size() - done,
                                       static_cast<off_t>(offset + done));
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return true;
}

template <class T> void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

LaunchEnd SealedCall::carry_out(const wire::KernelLaunch& launch, const wire::UniqueFd& memory) {
    if (++asked_ > max_launches)
        return refused("the call has already made " + std::to_string(max_launches) + " launches");
    if (!is_sound(launch, max_memory_) || fixed_size(memory) != launch.memory_size)
        return refused("its memory is too small for its arguments");
    // Do not use the runner's memory: the runner could change it while the kernel runs.
    const wire::UniqueFd own_memory = wire::create_shared_memory("launch", launch.memory_size);
    const wire::Mapping mapping(own_memory, launch.memory_size, wire::Mapping::Access::read_write);
    const std::span<std::byte> bytes = mapping.bytes();
    if (!transfer_all(memory, bytes, 0, ::pread))
        return refused("its memory cannot be read");
    const std::vector<std::byte> before(bytes.begin(), bytes.end());
    seal_.reveal(bytes);
    const Carried carried = carrier_(launch, own_memory);
    if (const auto* runner_end = std::get_if<RunnerEnd>(&carried.end))
        return death_in(launch, *runner_end);
    if (!std::get<wire::LaunchDone>(carried.end).error.empty())
        return carried.end;
    note(launch, carried);
    try {
        seal_.hide_results(launch, before, bytes);
    } catch (const std::length_error& error) {
        return refused(error.what());
    }
    for (const wire::LaunchArgument& argument : launch.arguments) {
        if (argument.kind == Kind::buffer &&
            !transfer_all(memory, bytes.subspan(argument.bytes.offset, argument.bytes.size),
                          argument.bytes.offset, ::pwrite))
            return refused("its memory cannot be written to");
    }
    return carried.end;
}

wire::LaunchDone SealedCall::reveal(const wire::Reveal& request, const wire::UniqueFd& memory) {
    // The memory can be larger than the request: it is reused from read to read.
    const std::optional<std::size_t> there = fixed_size(memory);
    if (request.size > max_memory_ || !there || *there < request.size)
        return refused("it does not come with its memory");
    std::vector<std::byte> bytes(request.size);
    const std::span<std::byte> view(bytes.data(), bytes.size());
    if (!transfer_all(memory, view, 0, ::pread))
        return refused("its memory cannot be read");
    seal_.let_read(view);
    if (!transfer_all(memory, view, 0, ::pwrite))
        return refused("its memory cannot be written to");
    return {};
}

RunnerEnd SealedCall::death_in(const wire::KernelLaunch& launch, RunnerEnd runner_end) const {
    runner_end.launched = static_cast<std::uint32_t>(seen_.launches.size()) + 1;
    runner_end.launch = runner_end.launched;
    runner_end.kernels = {launch.kernel};
    runner_end.on_host = false;
    runner_end.in_carrier = true;
    runner_end.call.clear();
    runner_end.frames.clear();
    return runner_end;
}

void SealedCall::note(const wire::KernelLaunch& launch, const Carried& carried) {
    wire::Launch seen{launch.kernel, launch.global_size, launch.work_group_size, 0,
                      std::get<wire::LaunchDone>(carried.end).nanoseconds};
    for (const wire::LaunchArgument& argument : launch.arguments)
        seen.local_memory += argument.kind == Kind::local ? argument.bytes.size : 0;
    seen_.launches.push_back(std::move(seen));
    append(seen_.guard_hits, carried.seen.guard_hits);
    append(seen_.read_only_hits, carried.seen.read_only_hits);
    wire::add_times(seen_, carried.seen.function_times, carried.seen.baseline_times);
}

void SealedCall::settle(wire::CallReply& reply) const {
    std::vector<wire::Launch> launches = seen_.launches;
    // What the arguments are, and where the host launches, only explains failures, so the runner's
    // word is enough.
    for (std::size_t i = 0; i < std::min(launches.size(), reply.launches.size()); ++i) {
        launches[i].arguments = std::move(reply.launches[i].arguments);
        launches[i].frames = std::move(reply.launches[i].frames);
    }
    reply.launches = std::move(launches);
    reply.guard_hits = seen_.guard_hits;
    reply.read_only_hits = seen_.read_only_hits;
    reply.function_times = seen_.function_times;
    reply.baseline_times = seen_.baseline_times;
    seal_.reveal(std::as_writable_bytes(std::span(reply.last_read)));
}

} // namespace grader
