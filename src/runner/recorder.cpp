#include "runner/recorder.hpp"

#include "runner/real_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>

namespace runner {
namespace {

/// Bytes of the guard zone on either side of a buffer: a work-group of 4096 floats that is off by
/// one group still hits it, and it is a multiple of every device's alignment.
constexpr std::size_t guard_size = std::size_t{16} << 10;

/// The most launches whose events are kept before the oldest are read out.
constexpr std::size_t max_pending = 4096;

/// Larger buffers get no guard zones, which would cost several times their size.
constexpr std::size_t max_guarded = std::size_t{1} << 30;

std::vector<std::byte> filled(std::size_t size, std::uint32_t word) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; i += sizeof word)
        std::memcpy(bytes.data() + i, &word, std::min(sizeof word, size - i));
    return bytes;
}

/// Returns the position of the first byte of `bytes` that differs from `pattern`.
std::optional<std::size_t> first_difference(const std::vector<std::byte>& bytes,
                                            const std::vector<std::byte>& pattern) {
    const auto at = std::mismatch(bytes.begin(), bytes.end(), pattern.begin()).first;
    if (at == bytes.end())
        return std::nullopt;
    return static_cast<std::size_t>(at - bytes.begin());
}

std::string kernel_name(cl_kernel kernel) {
    std::size_t size = 0;
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size) != CL_SUCCESS)
        return "an invalid kernel";
    std::string name(size, '\0');
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
    name.resize(std::strlen(name.c_str()));
    return name;
}

/// Returns whether mappings of `buffer` must be the host's own memory.
bool uses_host_memory(cl_mem buffer) {
    void* host = nullptr;
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_HOST_PTR, sizeof host, &host, nullptr);
    return host != nullptr;
}

std::string to_text(const std::array<std::size_t, 3>& sizes) {
    std::ostringstream text;
    text << sizes[0];
    for (std::size_t i = 1; i < 3 && sizes[i] > 1; ++i)
        text << " x " << sizes[i];
    return text.str();
}

std::string describe_launch(const wire::Launch& launch) {
    std::ostringstream text;
    text << "kernel " << launch.kernel << ", global size " << to_text(launch.global_size)
         << ", work-group size ";
    if (wire::volume(launch.work_group_size) == 0)
        text << "left to OpenCL";
    else
        text << to_text(launch.work_group_size);
    text << ", " << launch.local_memory << " bytes of local memory as arguments";
    return text.str();
}

template <class T> void lower(void* value, std::size_t size, std::size_t limit) {
    if (value == nullptr || limit == 0)
        return;
    for (std::size_t offset = 0; offset + sizeof(T) <= size; offset += sizeof(T)) {
        T reported = 0;
        std::memcpy(&reported, static_cast<char*>(value) + offset, sizeof reported);
        reported = std::min(reported, static_cast<T>(limit));
        std::memcpy(static_cast<char*>(value) + offset, &reported, sizeof reported);
    }
}

/// Returns whether the calls of this thread are the recorder's own.
bool& is_aside() {
    static thread_local bool aside = false;
    return aside;
}

class Aside {
  public:
    Aside() { is_aside() = true; }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;
    Aside(Aside&&) = delete;
    Aside& operator=(Aside&&) = delete;
    ~Aside() { is_aside() = false; }
};

} // namespace

bool Recorder::recording() const { return recording_ && !is_aside(); }

void Recorder::begin(wire::Journal& journal, const Settings& settings) {
    reset();
    journal_ = &journal;
    journal_->launched = 0;
    journal_->completed = 0;
    journal_->unwaited_read = 0;
    journal_->mapping_misuse = 0;
    settings_ = settings;
    if (settings.checked || settings.elsewhere)
        order_.begin(settings.queue);
    recording_ = true;
}

Evidence Recorder::end() {
    const std::lock_guard lock(mutex_);
    recording_ = false;
    settle_launches(0);
    inspect_buffers(evidence_);
    evidence_.unordered = order_.unordered();
    evidence_.unwaited_read = order_.is_under_way(true);
    evidence_.unwaited_write = order_.is_under_way(false);
    Evidence evidence = std::move(evidence_);
    reset();
    return evidence;
}

void Recorder::abandon() {
    const std::lock_guard lock(mutex_);
    recording_ = false;
    try {
        settle_launches(0);
    } catch (const cl::Error&) {
        // The error of the call itself is the better message.
    }
    const FailedCall failed = failed_call_;
    reset();
    failed_call_ = failed;
}

void Recorder::reset() {
    recording_ = false;
    pending_.clear();
    {
        const std::lock_guard lock(events_mutex_);
        events_.clear();
        times_elsewhere_.clear();
    }
    buffers_.clear();
    queues_.clear();
    mapped_.clear();
    order_.end();
    mappings_.forget_unmapped();
    asked_too_early_.clear();
    evidence_ = {};
    failed_call_ = {};
}

/// Waits for all launches but the last `keep` and reads their times.
void Recorder::settle_launches(std::size_t keep) {
    if (pending_.size() <= keep)
        return;
    const auto last = pending_.end() - static_cast<std::ptrdiff_t>(keep);
    for (auto it = pending_.begin(); it != last; ++it) {
        // Not by the watched calls, which record what the host knows.
        const cl_int ended = REAL_CALL(clWaitForEvents)(1, &it->event());
        if (ended != CL_SUCCESS)
            throw cl::Error(ended, "clWaitForEvents");
        const auto time = [&](cl_profiling_info name) {
            cl_ulong nanoseconds = 0;
            const cl_int error =
                profiling_info(it->event(), name, sizeof nanoseconds, &nanoseconds, nullptr);
            if (error != CL_SUCCESS)
                throw cl::Error(error, "clGetEventProfilingInfo");
            return nanoseconds;
        };
        it->launch.nanoseconds = time(CL_PROFILING_COMMAND_END) - time(CL_PROFILING_COMMAND_START);
        evidence_.launches.push_back(std::move(it->launch));
    }
    pending_.erase(pending_.begin(), last);
}

void Recorder::inspect_buffers(Evidence& evidence) {
    const std::vector<std::byte> guard = filled(guard_size, settings_.guard);
    std::vector<std::byte> bytes(guard_size);
    for (const GuardedBuffer& buffer : buffers_) {
        const cl::CommandQueue queue(buffer.context);
        const auto read = [&](std::size_t offset, std::vector<std::byte>& into) {
            const cl_int error =
                REAL_CALL(clEnqueueReadBuffer)(queue(), buffer.outer(), CL_TRUE, offset,
                                               into.size(), into.data(), 0, nullptr, nullptr);
            if (error != CL_SUCCESS)
                throw cl::Error(error, "clEnqueueReadBuffer");
        };
        read(0, bytes);
        // Before the buffer, the nearest write says most.
        for (std::size_t i = guard_size; i-- > 0;) {
            if (bytes[i] != guard[i]) {
                evidence.guard_hits.push_back(
                    {buffer.size, static_cast<std::int64_t>(i) - std::int64_t{guard_size}});
                break;
            }
        }
        read(guard_size + buffer.size, bytes);
        if (const auto at = first_difference(bytes, guard))
            evidence.guard_hits.push_back(
                {buffer.size, static_cast<std::int64_t>(buffer.size + *at)});
        if (buffer.read_only) {
            std::vector<std::byte> now(buffer.size);
            read(guard_size, now);
            if (const auto at = first_difference(now, *buffer.read_only))
                evidence.read_only_hits.push_back({buffer.size, *at});
        }
    }
}

cl_int Recorder::get_device_info(cl_device_id device, cl_device_info name, std::size_t size,
                                 void* value, std::size_t* size_needed) const {
    const cl_int error = REAL_CALL(clGetDeviceInfo)(device, name, size, value, size_needed);
    if (!recording() || error != CL_SUCCESS)
        return error;
    if (name == CL_DEVICE_MAX_WORK_GROUP_SIZE)
        lower<std::size_t>(value, sizeof(std::size_t), settings_.limits.max_work_group_size);
    else if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES)
        lower<std::size_t>(value, size, settings_.limits.max_work_group_size);
    else if (name == CL_DEVICE_LOCAL_MEM_SIZE)
        lower<cl_ulong>(value, sizeof(cl_ulong), settings_.limits.local_memory);
    else if (name == CL_DEVICE_MAX_COMPUTE_UNITS)
        lower<cl_uint>(value, sizeof(cl_uint), settings_.limits.compute_units);
    return error;
}

cl_int Recorder::get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info name, std::size_t size,
                                            void* value, std::size_t* size_needed) const {
    const cl_int error =
        REAL_CALL(clGetKernelWorkGroupInfo)(kernel, device, name, size, value, size_needed);
    if (recording() && error == CL_SUCCESS && name == CL_KERNEL_WORK_GROUP_SIZE) {
        lower<std::size_t>(value, sizeof(std::size_t), settings_.limits.max_work_group_size);
        lower<std::size_t>(value, sizeof(std::size_t), settings_.limits.kernel_work_group_size);
    }
    return error;
}

cl_mem Recorder::create_buffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host,
                               cl_int* error) {
    const bool plain = !recording() || !settings_.checked || size == 0 || size > max_guarded ||
                       (flags & CL_MEM_USE_HOST_PTR) != 0;
    const bool copies = (flags & CL_MEM_COPY_HOST_PTR) != 0;
    if (plain || copies != (host != nullptr))
        return note_buffer(REAL_CALL(clCreateBuffer)(context, allowed(flags), size, host, error));

    const std::vector<std::byte> guard = filled(guard_size, settings_.guard);
    std::vector<std::byte> content = guard;
    if (copies) {
        const auto* bytes = static_cast<const std::byte*>(host);
        content.insert(content.end(), bytes, bytes + size);
    } else {
        // Not always a NaN, because a minimum or a maximum ignores NaNs.
        const std::vector<std::byte> fresh = filled(size, settings_.guard);
        content.insert(content.end(), fresh.begin(), fresh.end());
    }
    content.insert(content.end(), guard.begin(), guard.end());

    // Written, not copied at creation: with CL_MEM_COPY_HOST_PTR, NVIDIA gives a sub-buffer its own
    // memory, and what a kernel writes outside of it never arrives here.
    cl_int status = CL_SUCCESS;
    const cl_mem_flags outer_flags = CL_MEM_READ_WRITE | (flags & CL_MEM_ALLOC_HOST_PTR);
    const cl_mem outer =
        REAL_CALL(clCreateBuffer)(context, outer_flags, content.size(), nullptr, &status);
    if (status == CL_SUCCESS) {
        const cl::CommandQueue queue{cl::Context(context, true)};
        status = REAL_CALL(clEnqueueWriteBuffer)(queue(), outer, CL_TRUE, 0, content.size(),
                                                 content.data(), 0, nullptr, nullptr);
    }
    cl_mem inner = nullptr;
    if (status == CL_SUCCESS) {
        const cl::Memory outer_owner(outer, false);
        const cl_buffer_region region{guard_size, size};
        const cl_mem_flags inner_flags =
            allowed(flags) & ~(CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR);
        inner = REAL_CALL(clCreateSubBuffer)(outer, inner_flags, CL_BUFFER_CREATE_TYPE_REGION,
                                             &region, &status);
        if (status == CL_SUCCESS) {
            GuardedBuffer buffer{cl::Memory(inner, true), outer_owner, cl::Context(context, true),
                                 size, std::nullopt};
            if ((flags & CL_MEM_READ_ONLY) != 0)
                buffer.read_only.emplace(content.begin() + std::ptrdiff_t{guard_size},
                                         content.end() - std::ptrdiff_t{guard_size});
            order_.forget(outer);
            const std::lock_guard lock(mutex_);
            buffers_.push_back(std::move(buffer));
        }
    }
    if (error != nullptr)
        *error = status;
    return note_buffer(inner);
}

cl_mem Recorder::create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                   const void* info, cl_int* error) {
    if (recording() && type == CL_BUFFER_CREATE_TYPE_REGION && info != nullptr) {
        // The student's buffer is a sub-buffer already, and sub-buffers cannot have sub-buffers.
        const std::lock_guard lock(mutex_);
        for (GuardedBuffer& guarded : buffers_) {
            if (guarded.inner() != buffer)
                continue;
            cl_buffer_region region = *static_cast<const cl_buffer_region*>(info);
            if (region.size > guarded.size || region.origin > guarded.size - region.size)
                break;
            guarded.read_only.reset();
            region.origin += guard_size;
            constexpr cl_mem_flags access =
                CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
            if ((flags & access) == 0) // it inherits the buffer's
                flags |= guarded.inner.getInfo<CL_MEM_FLAGS>() & access;
            const cl_mem part =
                REAL_CALL(clCreateSubBuffer)(guarded.outer(), allowed(flags), type, &region, error);
            know(part);
            return part;
        }
    }
    return note_buffer(REAL_CALL(clCreateSubBuffer)(buffer, flags, type, info, error));
}

void Recorder::on_all_done() {
    if (recording())
        journal_->completed = journal_->launched.load();
}

void Recorder::count_completed() {
    const std::lock_guard lock(events_mutex_);
    std::uint32_t completed = journal_ == nullptr ? 0 : journal_->completed.load();
    const auto has_ended = [](const cl::Event& event) {
        cl_int status = CL_QUEUED;
        REAL_CALL(clGetEventInfo)
        (event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        return status == CL_COMPLETE;
    };
    while (completed < events_.size() && has_ended(events_[completed]))
        ++completed;
    if (journal_ != nullptr) {
        journal_->completed = completed;
        ++journal_->inquiries;
    }
}

void Recorder::note_queue(cl_command_queue queue) {
    cl_command_queue_properties properties = 0;
    REAL_CALL(clGetCommandQueueInfo)
    (queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
    const std::lock_guard lock(mutex_);
    queues_.insert(queue);
    evidence_.any_order = evidence_.any_order || queues_.size() > 1 ||
                          (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

/// Returns the flags to create a buffer with: for launches elsewhere, the host reads and writes all
/// buffers.
cl_mem_flags Recorder::allowed(cl_mem_flags flags) const {
    constexpr cl_mem_flags refusing =
        CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
    return settings_.elsewhere ? flags & ~refusing : flags;
}

void Recorder::on_create_kernel(cl_kernel kernel) {
    const std::lock_guard lock(mutex_);
    arguments_.erase(kernel);
}

cl_int Recorder::set_kernel_arg(cl_kernel kernel, cl_uint index, std::size_t size,
                                const void* value) {
    const cl_int error = REAL_CALL(clSetKernelArg)(kernel, index, size, value);
    if (error != CL_SUCCESS) {
        cl_uint count = 0;
        clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
        std::ostringstream detail;
        detail << "argument " << index << " of kernel " << kernel_name(kernel) << " ("
               << (value == nullptr ? "local memory, " : "") << size
               << " bytes); the kernel has arguments 0 to " << static_cast<int>(count) - 1;
        on_failure("clSetKernelArg", detail.str());
        return error;
    }
    const std::lock_guard lock(mutex_);
    KernelArgument& argument = arguments_[kernel][index];
    argument = {size, value == nullptr, {}};
    if (value != nullptr) {
        const auto* bytes = static_cast<const std::byte*>(value);
        argument.value.assign(bytes, bytes + size);
    }
    return error;
}

/// Returns what is wrong with the state of an argument's buffer, or "".
std::string Recorder::unusable_argument(const std::map<cl_uint, KernelArgument>& arguments) const {
    for (const auto& [index, argument] : arguments) {
        const cl_mem buffer = buffer_in(argument);
        if (buffer == nullptr)
            continue;
        const std::string name = "; argument " + std::to_string(index) + " is a buffer that ";
        if (std::any_of(mapped_.begin(), mapped_.end(),
                        [&](const auto& one) { return one.second.buffer == buffer; }))
            return name + "is mapped for writing: call enqueueUnmapMemObject before the launch";
        const bool guarded = std::any_of(buffers_.begin(), buffers_.end(),
                                         [&](const auto& one) { return one.inner() == buffer; });
        cl_uint references = 0;
        if (guarded &&
            clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references,
                               nullptr) == CL_SUCCESS &&
            references == 1) // the recorder's own
            return name + "has been released: the cl::Buffer must live until the launch";
    }
    return "";
}

/// Returns why `launch` is impossible, on a device with these limits or on any; empty if it is
/// possible.
std::string Recorder::refusal(cl_kernel kernel, const wire::Launch& launch, cl_int& error) {
    const std::size_t items = wire::volume(launch.work_group_size);
    for (const std::size_t limit :
         {settings_.limits.max_work_group_size, settings_.limits.kernel_work_group_size}) {
        if (limit != 0 && items > limit) {
            error = CL_INVALID_WORK_GROUP_SIZE;
            return "; this device allows " + std::to_string(limit) + " work-items per group";
        }
    }
    if (settings_.limits.local_memory != 0 && launch.local_memory > settings_.limits.local_memory) {
        error = CL_OUT_OF_RESOURCES;
        return "; this device has " + std::to_string(settings_.limits.local_memory) +
               " bytes of local memory per group";
    }
    const cl::Kernel launched(kernel, true);
    if (settings_.program != nullptr &&
        launched.getInfo<CL_KERNEL_PROGRAM>()() != settings_.program) {
        error = CL_INVALID_KERNEL;
        return "; the kernel is not from setup.program of this call: create it anew in each call, "
               "do not keep it, for example in a static variable";
    }
    const std::lock_guard lock(mutex_);
    const std::map<cl_uint, KernelArgument>& arguments = arguments_[kernel];
    const auto count = launched.getInfo<CL_KERNEL_NUM_ARGS>();
    for (cl_uint index = 0; index < count; ++index) {
        if (arguments.count(index) == 0) {
            error = CL_INVALID_KERNEL_ARGS;
            return "; argument " + std::to_string(index) + " was never set: the kernel has " +
                   std::to_string(count) + " arguments";
        }
    }
    std::string unusable = unusable_argument(arguments);
    if (!unusable.empty())
        error = CL_INVALID_MEM_OBJECT;
    return unusable;
}

cl_int Recorder::enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const std::size_t* offset,
                                         const std::size_t* global, const std::size_t* local,
                                         cl_uint wait_count, const cl_event* wait_list,
                                         cl_event* event) {
    auto* const real = REAL_CALL(clEnqueueNDRangeKernel);
    if (!recording())
        return real(queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event);

    PendingLaunch pending;
    wire::Launch& launch = pending.launch;
    launch.kernel = kernel_name(kernel);
    for (cl_uint i = 0; i < std::min(dimensions, cl_uint{3}); ++i)
        launch.global_size[i] = global == nullptr ? 0 : global[i];
    if (local != nullptr) {
        launch.work_group_size = {1, 1, 1};
        std::copy(local, local + std::min(dimensions, cl_uint{3}), launch.work_group_size.begin());
    }
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [index, argument] : arguments_[kernel])
            launch.local_memory += argument.local ? argument.size : 0;
    }

    cl_int error = CL_SUCCESS;
    const std::string why = refusal(kernel, launch, error);
    if (error != CL_SUCCESS) {
        on_failure("clEnqueueNDRangeKernel", describe_launch(launch) + why);
        return error;
    }

    const auto number = static_cast<int>(journal_->launched);
    const std::uint32_t slot = journal_->launched % wire::Journal::launch_slots;
    wire::set_name(journal_->kernels[slot], launch.kernel.c_str());
    ++journal_->launched;
    cl_event own_event = nullptr;
    cl_event* used_event = event != nullptr ? event : &own_event;
    const bool elsewhere = settings_.withhold_kernels || settings_.elsewhere != nullptr;
    wire::LaunchDone done;
    if ((settings_.elsewhere || settings_.timer) && !settings_.withhold_kernels) {
        if (wait_count != 0)
            REAL_CALL(clWaitForEvents)(wait_count, wait_list);
        try {
            if (settings_.elsewhere)
                done = send_elsewhere(queue, kernel, dimensions, offset, launch);
            else
                time_launch(queue, kernel, dimensions, offset, global, local);
        } catch (const cl::Error& failure) {
            done = {failure.what(), failure.err()};
        } catch (const std::exception& failure) { // C functions must not throw
            done.error = failure.what();
        }
        if (!done.error.empty()) {
            --journal_->launched;
            const std::string what = describe_launch(launch);
            const bool says_what = done.error.rfind(what, 0) == 0;
            on_failure("clEnqueueNDRangeKernel", says_what ? done.error : what + "; " + done.error);
            return done.code == CL_SUCCESS ? CL_OUT_OF_RESOURCES : done.code;
        }
    }
    error = elsewhere
                ? REAL_CALL(clEnqueueMarkerWithWaitList)(queue, wait_count, wait_list, used_event)
                : real(queue, kernel, dimensions, offset, global, local, wait_count, wait_list,
                       used_event);
    if (error != CL_SUCCESS) {
        --journal_->launched;
        on_failure("clEnqueueNDRangeKernel", describe_launch(launch));
        return error;
    }
    pending.event = cl::Event(*used_event, event != nullptr);
    CommandOrder::Command command{launch.kernel, {queue, wait_count, wait_list, event}, {}, number};
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [index, argument] : arguments_[kernel])
            note_uses(command, buffer_in(argument), index);
    }
    on_command(command);
    {
        const std::lock_guard lock(events_mutex_);
        events_.push_back(pending.event);
        if (done.nanoseconds != 0)
            times_elsewhere_[*used_event] = done.nanoseconds;
    }

    const std::lock_guard lock(mutex_);
    pending_.push_back(std::move(pending));
    if (pending_.size() > max_pending)
        settle_launches(max_pending / 2);
    return error;
}

cl_mem Recorder::note_buffer(cl_mem buffer) {
    const std::lock_guard lock(mutex_);
    if (buffer != nullptr)
        know(buffer);
    order_.forget(buffer);
    return buffer;
}

/// Stores the facts about a buffer that a launch needs: by then the host may have released it.
void Recorder::know(cl_mem buffer) {
    KnownBuffer known;
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_FLAGS, sizeof known.flags, &known.flags, nullptr);
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_SIZE, sizeof known.size, &known.size, nullptr);
    known_buffers_[buffer] = known;
}

/// Returns the buffer that an argument names, or null. OpenCL distinguishes buffers from values
/// only by the kernel's source, so any value that is a buffer's handle counts as a buffer.
cl_mem Recorder::buffer_in(const KernelArgument& argument) const {
    cl_mem buffer = nullptr;
    if (argument.value.size() == sizeof(cl_mem)) // NOLINT(bugprone-sizeof-expression): a handle
        std::memcpy(&buffer, argument.value.data(), argument.value.size());
    return known_buffers_.count(buffer) == 0 ? nullptr : buffer;
}

/// Returns a time only if every device would: for a queue with profiling, and once the host knows
/// that the command has ended. A host that asks repeatedly until there is a time waits in that way.
cl_int Recorder::get_event_profiling_info(cl_event event, cl_profiling_info name, std::size_t size,
                                          void* value, std::size_t* size_needed) {
    cl_command_queue queue = nullptr;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): a handle
    REAL_CALL(clGetEventInfo)(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
    if (recording() && queue != nullptr) {
        const std::lock_guard lock(profiles_mutex_);
        if (unprofiled_queues_.count(queue) != 0 ||
            (!order_.knows(event) && asked_too_early_.insert(event).second)) {
            return CL_PROFILING_INFO_NOT_AVAILABLE;
        }
    }
    const cl_int error = profiling_info(event, name, size, value, size_needed);
    if (error == CL_SUCCESS)
        on_waited_for(1, &event);
    return error;
}

/// A marker replaces a launch that ran elsewhere: it ends when the launch would have ended.
cl_int Recorder::profiling_info(cl_event event, cl_profiling_info name, std::size_t size,
                                void* value, std::size_t* size_needed) {
    auto* const real = REAL_CALL(clGetEventProfilingInfo);
    std::uint64_t nanoseconds = 0;
    {
        const std::lock_guard lock(events_mutex_);
        const auto known = times_elsewhere_.find(event);
        nanoseconds = known == times_elsewhere_.end() ? 0 : known->second;
    }
    if (nanoseconds == 0 || name != CL_PROFILING_COMMAND_END || value == nullptr)
        return real(event, name, size, value, size_needed);
    const cl_int error = real(event, CL_PROFILING_COMMAND_START, size, value, size_needed);
    if (error == CL_SUCCESS)
        *static_cast<cl_ulong*>(value) += nanoseconds;
    return error;
}

/// Notes that a launch uses `buffer` as its argument `index`; `buffer` can be null.
void Recorder::note_uses(CommandOrder::Command& command, cl_mem buffer, cl_uint index) {
    if (buffer == nullptr || !settings_.checked)
        return;
    const KnownBuffer& known = known_buffers_.at(buffer);
    command.uses.push_back(
        {buffer, 0, known.size, (known.flags & CL_MEM_READ_ONLY) == 0, static_cast<int>(index)});
}

/// Sends the contents of the kernel's buffers, and fills the buffers with the kernel's results.
/// Throws what the launcher throws, and cl::Error.
wire::LaunchDone Recorder::send_elsewhere(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint dimensions, const std::size_t* offset,
                                          const wire::Launch& launch) {
    REAL_CALL(clFinish)(queue);
    LaunchMemory memory(queue);
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [index, argument] : arguments_[kernel])
            memory.add(argument, buffer_in(argument));
    }
    wire::KernelLaunch request;
    request.kernel = launch.kernel;
    request.dimensions = dimensions;
    request.global_size = launch.global_size;
    request.work_group_size = launch.work_group_size;
    if (offset != nullptr)
        std::copy_n(offset, std::min(dimensions, cl_uint{3}), request.global_offset.begin());
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
void Recorder::time_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                           const std::size_t* offset, const std::size_t* global,
                           const std::size_t* local) {
    const Aside aside;
    REAL_CALL(clFinish)(queue);
    std::vector<cl::Buffer> results;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [index, argument] : arguments_[kernel]) {
            const cl_mem buffer = buffer_in(argument);
            if (buffer != nullptr && (known_buffers_.at(buffer).flags & CL_MEM_READ_ONLY) == 0)
                results.emplace_back(buffer, true);
        }
    }
    const cl::CommandQueue own_queue(settings_.queue, true);
    const KeptContents start(own_queue, results);
    settings_.timer([&] {
        start.restore();
        cl_event event = nullptr;
        const cl_int error = REAL_CALL(clEnqueueNDRangeKernel)(
            own_queue(), kernel, dimensions, offset, global, local, 0, nullptr, &event);
        if (error != CL_SUCCESS)
            throw cl::Error(error, "clEnqueueNDRangeKernel");
        return cl::Event(event);
    });
    start.restore();
}

void Recorder::on_create_queue(cl_command_queue queue, cl_command_queue_properties properties) {
    order_.forget(queue);
    const std::lock_guard lock(profiles_mutex_);
    if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        unprofiled_queues_.insert(queue);
    else
        unprofiled_queues_.erase(queue);
}

cl_command_queue_properties Recorder::properties_of(cl_command_queue queue,
                                                    cl_command_queue_properties own) const {
    const std::lock_guard lock(profiles_mutex_);
    return unprofiled_queues_.count(queue) == 0 ? own : own & ~CL_QUEUE_PROFILING_ENABLE;
}

void Recorder::on_command(const CommandOrder::Command& command) {
    if (!recording())
        return;
    note_queue(command.how.queue);
    order_.add(command);
    note_transfers();
}

void Recorder::on_transfer(const CommandOrder::Command& command, void* host, bool reads) {
    if (!recording())
        return;
    note_queue(command.how.queue);
    if (command.how.blocking)
        order_.add(command);
    else
        order_.add_transfer(command, host, reads);
    note_transfers();
}

void Recorder::on_delayed_read(const CommandOrder::Command& command,
                               const std::vector<wire::Span<std::byte>>& pieces) {
    note_queue(command.how.queue);
    std::vector<std::pair<std::byte*, std::vector<std::byte>>> bytes;
    for (const wire::Span<std::byte>& piece : pieces) {
        bytes.emplace_back(piece.data(), std::vector<std::byte>(piece.begin(), piece.end()));
        mappings_.put(piece.data(), filled(piece.size(), wire::poison));
    }
    void* const host = pieces.empty() ? nullptr : pieces.front().data();
    order_.add_transfer(command, host, true, [this, bytes = std::move(bytes)] {
        for (const auto& [place, there] : bytes)
            mappings_.put(place, there);
    });
    note_transfers();
}

/// Also written to the journal, because the reply is lost if memory that a read overwrites makes
/// the runner crash.
void Recorder::note_transfers() { journal_->unwaited_read = order_.is_under_way(true) ? 1 : 0; }

void Recorder::on_read(std::size_t bytes) {
    if (!recording())
        return;
    const std::lock_guard lock(mutex_);
    if (journal_->launched != 0) // before the first launch there is no result to read
        evidence_.reads.push_back(bytes);
}

void Recorder::on_read_done(void* host, std::size_t size) {
    if (recording() && settings_.reveal && journal_->launched != 0 && size != 0 &&
        size <= settings_.visible_bytes)
        settings_.reveal({static_cast<std::byte*>(host), size});
}

void Recorder::on_waited_for(cl_uint count, const cl_event* events) {
    if (!recording())
        return;
    order_.waited_for(count, events);
    note_transfers();
}

void Recorder::on_finished(cl_command_queue queue) {
    if (!recording())
        return;
    order_.finished(queue);
    note_transfers();
}

void* Recorder::on_map(const CommandOrder::Command& command, const Map& map, void* device) {
    if (!recording())
        return device;
    auto* host = static_cast<std::byte*>(device);
    if (map.there && settings_.checked && !uses_host_memory(map.buffer))
        host = mappings_.add(host, map.size, map.writes);
    if (map.there && map.reads) {
        std::vector<std::byte> bytes(host, host + map.size);
        on_read_done(bytes.data(), bytes.size());
        mappings_.put(host, bytes);
    }
    if (map.delayed)
        on_delayed_read(command, {{host, map.size}});
    else if (map.reads)
        on_transfer(command, host, true);
    else
        on_command(command);
    const std::lock_guard lock(mutex_);
    if (map.writes)
        mapped_[host] = map;
    return host;
}

std::pair<void*, std::vector<Use>> Recorder::on_unmap(void* host) {
    order_.arrive_at(host); // it is unmapped with its data, whether the host has waited or not
    std::vector<Use> uses;
    const std::lock_guard lock(mutex_);
    const auto known = mapped_.find(host);
    if (known != mapped_.end()) {
        uses.push_back({known->second.buffer, known->second.offset, known->second.size, true});
        mapped_.erase(known);
    }
    return {mappings_.remove(static_cast<std::byte*>(host)), uses};
}

void Recorder::on_host_write(cl_mem buffer, std::size_t offset, std::size_t size,
                             const void* data) {
    if (!recording())
        return;
    const std::lock_guard lock(mutex_);
    for (GuardedBuffer& guarded : buffers_) {
        if (guarded.inner() != buffer || !guarded.read_only)
            continue;
        if (data == nullptr || offset + size > guarded.size)
            guarded.read_only.reset();
        else
            std::memcpy(guarded.read_only->data() + offset, data, size);
    }
}

void Recorder::on_call(const char* function) {
    if (recording())
        wire::set_name(journal_->call, function);
}

void Recorder::on_failure(const char* function, const std::string& detail) {
    if (!recording())
        return;
    const std::lock_guard lock(mutex_);
    failed_call_ = {function, detail};
}

Recorder& recorder() {
    // Never destroyed: OpenCL's own threads can still report completed events at exit.
    static auto* const instance = new Recorder; // NOLINT(cppcoreguidelines-owning-memory)
    return *instance;
}

} // namespace runner
