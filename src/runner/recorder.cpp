#include "runner/recorder.hpp"

#include "runner/real_calls.hpp"
#include "runner/thrown.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

namespace runner {
namespace {

using Reason = wire::FailedCall::Reason;
using Request = wire::FailedCall::Request;

constexpr std::size_t max_asked_times = 8;

/// In bytes: a few results, which the host combines.
constexpr std::size_t longest_read_kept = 1024;

/// The most launches of a call whose place in the host code is noted.
constexpr std::uint32_t max_places = 64;

wire::AskedTime::Command command_of(cl_event event) {
    using Command = wire::AskedTime::Command;
    cl_command_type type = 0;
    REAL_CALL(clGetEventInfo)(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
    switch (type) {
    case CL_COMMAND_NDRANGE_KERNEL:
    case CL_COMMAND_USER: // it stands for a launch that others execute
        return Command::launch;
    case CL_COMMAND_READ_BUFFER:
    case CL_COMMAND_WRITE_BUFFER:
    case CL_COMMAND_MAP_BUFFER:
        return Command::transfer;
    default:
        return Command::other;
    }
}

wire::AskedTime::Moment moment_of(cl_profiling_info name) {
    using Moment = wire::AskedTime::Moment;
    switch (name) {
    case CL_PROFILING_COMMAND_START:
        return Moment::started;
    case CL_PROFILING_COMMAND_END:
        return Moment::ended;
    default:
        return name == CL_PROFILING_COMMAND_SUBMIT ? Moment::submitted : Moment::queued;
    }
}

/// The size and the flags of a buffer that OpenCL did not accept.
wire::FailedCall failed_buffer(cl_int error, const NewBuffer& wanted) {
    const bool needs_pointer = (wanted.flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0;
    return {.code = error,
            .request = Request::buffer,
            .size = wanted.size,
            .has_pointer = wanted.host != nullptr ? 1U : 0U,
            .needs_pointer = needs_pointer ? 1U : 0U};
}

/// The part of a buffer that OpenCL did not accept as a sub-buffer.
wire::FailedCall failed_part(cl_int error, cl_mem buffer, const cl_buffer_region& part) {
    std::size_t size = 0;
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr);
    return {.code = error,
            .request = Request::part,
            .offset = part.origin,
            .size = part.size,
            .limit = size};
}

/// Whether mappings of `buffer` must be the host's own memory.
bool uses_host_memory(cl_mem buffer) {
    void* host = nullptr;
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_HOST_PTR, sizeof host, &host, nullptr);
    return host != nullptr;
}

} // namespace

bool Recorder::recording() const { return recording_ && !Launcher::is_timing(); }

void Recorder::begin(wire::Journal& journal, const CallSettings& settings) {
    reset();
    journal_ = &journal;
    journal_->launched = 0;
    journal_->completed = 0;
    journal_->unwaited_read = 0;
    journal_->read_bytes = 0;
    journal_->unset_events = 0;
    journal_->failed_events = 0;
    journal_->mapping_misuse = 0;
    journal_->first_failure = {};
    journal_->last_failure = {};
    settings_ = settings;
    times_.begin_call(settings_.limits.added_time);
    failed_launch_.reset();
    guarded_.begin(settings.guard);
    if (settings.checked || settings.elsewhere)
        order_.begin(settings.queue);
    callbacks_.begin();
    recording_ = true;
}

wire::Evidence Recorder::end() {
    recording_ = false;
    callbacks_.end();
    launches_.wait();
    GuardedBuffers::Hits hits = guarded_.inspect();
    wire::Evidence evidence;
    {
        const std::lock_guard lock(mutex_);
        evidence = std::move(evidence_);
    }
    evidence.launches = launches_.take();
    evidence.guard_hits = std::move(hits.guards);
    evidence.read_only_hits = std::move(hits.read_only);
    evidence.unordered = order_.unordered();
    evidence.any_order = order_.any_order();
    const auto read = order_.under_way(true);
    const auto write = order_.under_way(false);
    evidence.unwaited_read = read.has_value();
    evidence.unset_event = order_.has_waited_for_unset_event();
    evidence.unwaited_write = write.has_value();
    evidence.transfers = buffers_.take_transfers();
    evidence.changed_source = host_memory_.changed_source();
    evidence.changed_host_memory = host_memory_.changed_buffer_memory();
    if (read || write)
        evidence.careless_frames = read ? *read : *write;
    else if (!evidence.unwaited_map)
        evidence.careless_frames = host_memory_.frames_of_changed();
    reset();
    return evidence;
}

wire::Evidence Recorder::abandon() {
    recording_ = false;
    callbacks_.end();
    wire::Evidence evidence;
    evidence.unordered = order_.unordered();
    evidence.unwaited_read = order_.under_way(true).has_value();
    if (journal_ != nullptr)
        launches_.count_completed(*journal_); // the next one may be what has failed
    evidence.transfers = buffers_.take_transfers();
    try {
        launches_.wait();
        evidence.launches = launches_.take();
    } catch (const cl::Error&) {
        // The error of the call itself is the better message.
    }
    reset();
    return evidence;
}

void Recorder::reset() {
    recording_ = false;
    launches_.clear();
    times_.forget_events();
    guarded_.forget_released();
    order_.end();
    mappings_.end_call();
    buffers_.clear();
    host_memory_.clear();
    const std::lock_guard lock(mutex_);
    evidence_ = {};
}

cl_int Recorder::get_device_info(cl_device_id device, cl_device_info name, std::size_t size,
                                 void* value, std::size_t* size_needed) const {
    const cl_int error = REAL_CALL(clGetDeviceInfo)(device, name, size, value, size_needed);
    if (!recording() || error != CL_SUCCESS)
        return error;
    limit_device_info(settings_.limits, name, value);
    return error;
}

cl_int Recorder::get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info name, std::size_t size,
                                            void* value, std::size_t* size_needed) const {
    const cl_int error =
        REAL_CALL(clGetKernelWorkGroupInfo)(kernel, device, name, size, value, size_needed);
    if (!recording() || error != CL_SUCCESS)
        return error;
    if (settings_.limits.ignores_kernels && name == CL_KERNEL_WORK_GROUP_SIZE &&
        device != nullptr && value != nullptr) {
        const auto ask_device = REAL_CALL(clGetDeviceInfo);
        ask_device(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(std::size_t), value, nullptr);
    }
    lower_work_group_info(settings_.limits, name, value);
    return error;
}

cl_mem Recorder::create_buffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host,
                               cl_int* error) {
    const NewBuffer wanted{flags, allowed(flags), size, host};
    const bool copies =
        host != nullptr && (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0;
    if (const auto refused = copies ? refusal_of_source(host, size) : std::nullopt) {
        on_failure("clCreateBuffer", *refused);
        if (error != nullptr)
            *error = refused->code;
        return nullptr;
    }
    cl_mem buffer = nullptr;
    cl_int status = CL_SUCCESS;
    if (!recording() || !settings_.checked || !GuardedBuffers::can_guard(wanted)) {
        buffer = REAL_CALL(clCreateBuffer)(context, wanted.allowed, size, host, &status);
    } else {
        const GuardedBuffers::Created created = guarded_.create(context, wanted);
        status = created.error;
        order_.forget(created.whole);
        buffer = created.buffer;
    }
    if (error != nullptr)
        *error = status;
    if (buffer != nullptr && recording()) {
        const bool keeps_place = settings_.checked && buffers_.keeps_places();
        buffers_.on_create(buffer, keeps_place ? current_frames() : std::vector<std::uint64_t>());
        if (settings_.checked && host != nullptr && (flags & CL_MEM_USE_HOST_PTR) != 0)
            host_memory_.on_create(buffer, {static_cast<const std::byte*>(host), size});
    }
    if (buffer == nullptr && recording())
        on_failure("clCreateBuffer", failed_buffer(status, wanted));
    if (buffer != nullptr && recording() && copies)
        buffers_.on_transfer({wire::HostCommand::create, {}, {{buffer, 0, size, true}}},
                             journal_->launched);
    return note_buffer(buffer);
}

cl_mem Recorder::create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                   const void* info, cl_int* error) {
    const auto* const region = static_cast<const cl_buffer_region*>(info);
    // The student's buffer is a sub-buffer already, and sub-buffers cannot have sub-buffers.
    std::optional<GuardedBuffers::Part> part;
    if (recording() && type == CL_BUFFER_CREATE_TYPE_REGION && region != nullptr)
        part = guarded_.part_of(buffer, flags, *region);
    cl_int status = CL_SUCCESS;
    const cl_mem made = part ? REAL_CALL(clCreateSubBuffer)(part->whole, allowed(part->flags), type,
                                                            &part->region, &status)
                             : REAL_CALL(clCreateSubBuffer)(buffer, flags, type, info, &status);
    if (error != nullptr)
        *error = status;
    if (made != nullptr && recording())
        buffers_.on_create_part(made, buffer, region == nullptr ? 0 : region->origin);
    else if (made == nullptr && region != nullptr)
        on_failure("clCreateSubBuffer", failed_part(status, buffer, *region), buffer);
    return note_buffer(made);
}

/// Notes which parts of buffers a command transfers.
void Recorder::note_transfer(const CommandOrder::Command& command) {
    if (command.launch >= 0)
        return;
    buffers_.on_transfer(command, journal_->launched);
    if (command.command == wire::HostCommand::read && settings_.checked && !command.uses.empty()) {
        journal_->read_bytes = command.uses.front().size;
        journal_->read_frames = wire::first_frames(current_frames());
    }
    for (const Use& use : command.uses) {
        if (use.writes)
            host_memory_.on_fill(use.buffer);
    }
}

void Recorder::on_input(std::span<const std::byte> bytes) {
    if (recording())
        host_memory_.on_input(bytes);
}

std::optional<wire::FailedCall> Recorder::refusal_of_source(const void* data,
                                                            std::size_t size) const {
    return recording() ? host_memory_.refusal_of_source(data, size) : std::nullopt;
}

void Recorder::on_all_done() {
    if (recording())
        journal_->completed = journal_->launched.load();
}

void Recorder::count_completed() {
    if (journal_ != nullptr)
        launches_.count_completed(*journal_);
}

/// Returns the flags to create a buffer with: for launches elsewhere, the host reads and writes all
/// buffers.
cl_mem_flags Recorder::allowed(cl_mem_flags flags) const {
    constexpr cl_mem_flags refusing =
        CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
    return settings_.elsewhere ? flags & ~refusing : flags;
}

cl_int Recorder::set_kernel_arg(cl_kernel kernel, cl_uint index, std::size_t size,
                                const void* value) {
    const cl_int error = REAL_CALL(clSetKernelArg)(kernel, index, size, value);
    if (error != CL_SUCCESS) {
        cl_uint count = 0;
        clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
        wire::FailedCall call{.code = error,
                              .request = Request::argument,
                              .index = index,
                              .size = size,
                              .limit = count,
                              .has_pointer = value != nullptr ? 1U : 0U};
        wire::set_name(call.kernel, kernel_name(kernel).c_str());
        on_failure("clSetKernelArg", call);
        return error;
    }
    arguments_.set(kernel, index, size, value);
    return error;
}

cl_int Recorder::enqueue_nd_range_kernel(const NdRange& range) {
    if (!recording())
        return enqueue(range);
    const std::vector<SetArgument> arguments = arguments_.of(range.kernel);
    wire::Launch launch = launch_of(range);
    for (const SetArgument& argument : arguments)
        launch.local_memory += argument.given.local ? argument.given.size : 0;
    launch.arguments = buffers_.given(arguments);
    if (settings_.checked && journal_->launched < max_places)
        launch.frames = current_frames();
    if (const auto refused = launcher_.refusal(range, launch, arguments)) {
        on_failed_launch(launch, *refused);
        return refused->code;
    }

    host_memory_.on_launch(arguments);
    const std::uint32_t number = note_in_journal(launch);
    const wire::LaunchDone done = launcher_.run_before(range, launch, arguments);
    if (!done.error.empty()) {
        --journal_->launched;
        wire::FailedCall call{.code = done.code == CL_SUCCESS ? CL_OUT_OF_RESOURCES : done.code,
                              .reason = Reason::failed_in_executor};
        wire::set_name(call.executor, done.error.c_str());
        on_failed_launch(launch, call);
        return call.code;
    }
    cl_event own_event = nullptr;
    NdRange with_event = range;
    with_event.event = range.event != nullptr ? range.event : &own_event;
    const cl_int error = launcher_.runs_elsewhere()
                             ? REAL_CALL(clEnqueueMarkerWithWaitList)(
                                   range.queue, range.wait_count, range.wait_list, with_event.event)
                             : enqueue(with_event);
    if (error != CL_SUCCESS) {
        --journal_->launched;
        on_failed_launch(launch, {.code = error});
        return error;
    }
    const cl::Event event(*with_event.event, range.event != nullptr);
    note_command(range, launch.kernel, number, arguments);
    if (done.nanoseconds != 0)
        times_.took_elsewhere(event(), done.nanoseconds);
    launches_.add(std::move(launch), event);
    return error;
}

/// Notes that a launch begins, and returns its number in the call.
std::uint32_t Recorder::note_in_journal(const wire::Launch& launch) {
    const std::uint32_t number = journal_->launched;
    wire::set_name(journal_->kernels[number % wire::Journal::launch_slots], launch.kernel.c_str());
    journal_->last_work_items = wire::volume(launch.global_size);
    journal_->last_group_size = wire::volume(launch.work_group_size);
    ++journal_->launched;
    return number;
}

/// Notes that a launch has been enqueued, and which buffers it uses.
void Recorder::note_command(const NdRange& range, const std::string& kernel, std::uint32_t number,
                            const std::vector<SetArgument>& arguments) {
    CommandOrder::Command command{wire::HostCommand::launch,
                                  {range.queue, range.wait_count, range.wait_list, range.event},
                                  {},
                                  kernel,
                                  static_cast<int>(number)};
    for (const SetArgument& argument : arguments) {
        if (argument.buffer != nullptr && settings_.checked)
            command.uses.push_back({argument.buffer, 0, argument.known.size,
                                    argument.is_writable_buffer(),
                                    static_cast<int>(argument.index)});
    }
    on_command(command);
}

cl_mem Recorder::note_buffer(cl_mem buffer) {
    if (buffer != nullptr)
        arguments_.know(buffer);
    order_.forget(buffer);
    return buffer;
}

cl_int Recorder::get_event_profiling_info(cl_event event, cl_profiling_info name, std::size_t size,
                                          void* value, std::size_t* size_needed) {
    if (recording() && times_.is_unprofiled(event)) {
        on_failure("clGetEventProfilingInfo",
                   {.code = CL_PROFILING_INFO_NOT_AVAILABLE, .reason = Reason::unprofiled_queue});
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    if (recording() && times_.is_asked_too_early(event, order_.knows(event)))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    const cl_int error = times_.info(event, name, size, value, size_needed);
    if (error == CL_SUCCESS)
        on_waited_for(1, &event);
    if (!recording() || value == nullptr)
        return error;
    // Before the lock: command_of() calls the driver.
    const wire::AskedTime asked{
        times_.is_of_replaced_launch(event) ? wire::AskedTime::Command::launch : command_of(event),
        moment_of(name)};
    const std::lock_guard lock(mutex_);
    if (evidence_.asked_times.size() < max_asked_times)
        evidence_.asked_times.push_back(asked);
    return error;
}

void Recorder::on_create_queue(cl_command_queue queue, cl_command_queue_properties properties) {
    order_.forget(queue);
    times_.on_create_queue(queue, properties);
}

void Recorder::on_command(const CommandOrder::Command& command) {
    if (!recording())
        return;
    note_transfer(command);
    order_.add(command);
    note_unwaited_reads();
}

void Recorder::on_transfer(const CommandOrder::Command& command, void* host, bool reads,
                           std::function<void()> arrive) {
    if (!recording())
        return;
    note_transfer(command);
    if (command.how.blocking)
        order_.add(command);
    else
        order_.add_transfer(command, host, reads, std::move(arrive));
    note_unwaited_reads();
}

void Recorder::on_write(const CommandOrder::Command& command, std::span<const std::byte> source) {
    const bool is_watched = recording() && settings_.checked && !command.how.blocking;
    on_transfer(command, nullptr, false,
                is_watched ? host_memory_.on_write(source) : std::function<void()>());
}

void Recorder::on_delayed_read(const CommandOrder::Command& command,
                               const std::vector<std::span<std::byte>>& pieces) {
    note_transfer(command);
    std::vector<std::pair<std::byte*, std::vector<std::byte>>> bytes;
    for (const std::span<std::byte>& piece : pieces) {
        bytes.emplace_back(piece.data(), std::vector<std::byte>(piece.begin(), piece.end()));
        mappings_.put(piece.data(), filled(piece.size(), wire::poison));
    }
    void* const host = pieces.empty() ? nullptr : pieces.front().data();
    order_.add_transfer(command, host, true, [this, bytes = std::move(bytes)] {
        for (const auto& [place, there] : bytes)
            mappings_.put(place, there);
    });
    note_unwaited_reads();
}

/// Also written to the journal, because the reply is lost if memory that a read overwrites makes
/// the runner crash.
void Recorder::note_unwaited_reads() {
    const auto read = order_.under_way(true);
    if (read)
        journal_->unwaited_frames = wire::first_frames(*read);
    journal_->unwaited_read = read ? 1 : 0;
}

void Recorder::on_read(std::size_t bytes, std::span<const std::byte> into) {
    if (!recording())
        return;
    host_memory_.on_read(into);
    const std::lock_guard lock(mutex_);
    if (journal_->launched != 0) // before the first launch there is no result to read
        evidence_.reads.push_back(bytes);
}

void Recorder::on_read_done(void* host, std::size_t size) {
    if (!recording() || journal_->launched == 0)
        return;
    if (settings_.reveal && size != 0 && size <= settings_.visible_bytes)
        settings_.reveal({static_cast<std::byte*>(host), size});
    const std::lock_guard lock(mutex_);
    if (settings_.known_words != nullptr)
        settings_.known_words->add({static_cast<const std::byte*>(host), size});
    evidence_.last_read.clear();
    if (settings_.checked && size <= longest_read_kept) {
        evidence_.last_read.resize(size / sizeof(std::uint32_t));
        std::memcpy(evidence_.last_read.data(), host,
                    evidence_.last_read.size() * sizeof(std::uint32_t));
    }
}

void Recorder::on_read_arrived(void* host, std::size_t size) {
    if (is_mapped({static_cast<const std::byte*>(host), size}))
        on_read_done(host, size);
}

void Recorder::on_waited_for(cl_uint count, const cl_event* events) {
    if (!recording())
        return;
    order_.waited_for(count, events);
    note_unwaited_reads();
    run_callbacks();
}

/// Calls a function of the host, which comes after the command.
void Recorder::run(const Callback& callback) {
    if (callback.status == CL_COMPLETE) {
        cl_event const event = callback.event();
        on_waited_for(1, &event);
    }
    callback.function(callback.event(), callback.status, callback.data);
}

/// Calls the functions for what the host has waited for.
void Recorder::run_callbacks() {
    callbacks_.run_waited_for([&](cl_event event) { return order_.knows(event); });
}

void Recorder::on_callback(Callback callback) {
    if (settings_.checked) // also after a call, whose data it may need
        callbacks_.hold(std::move(callback));
    else
        run(callback);
}

cl_int Recorder::status_of_ended(cl_event event) {
    if (recording() && order_.may_run(event))
        return CL_RUNNING;
    on_waited_for(1, &event);
    return CL_COMPLETE;
}

void Recorder::on_user_event() {
    if (recording())
        ++journal_->unset_events;
}

void Recorder::on_set_user_event(cl_event event, cl_int status) {
    if (!recording())
        return;
    order_.set_user_event(event);
    if (journal_->unset_events != 0)
        --journal_->unset_events;
    if (status < 0)
        ++journal_->failed_events;
}

void Recorder::on_finished(cl_command_queue queue) {
    if (!recording())
        return;
    order_.finished(queue);
    note_unwaited_reads();
    run_callbacks();
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
        on_transfer(command, host, true,
                    [this, host, size = map.size] { on_read_arrived(host, size); });
    else
        on_transfer(command, host, false, {});
    if (map.writes)
        mappings_.note_writing(host, {map.buffer, map.offset, map.size, true});
    return host;
}

std::pair<void*, std::vector<Use>> Recorder::on_unmap(void* host) {
    // It is unmapped with its data, whether the host has waited or not.
    if (auto frames = order_.arrive_at(host)) {
        const std::lock_guard lock(mutex_);
        evidence_.unwaited_map = true;
        evidence_.careless_frames = std::move(*frames);
    }
    std::vector<Use> uses;
    if (const auto written = mappings_.take_writing(host))
        uses.push_back(*written);
    return {mappings_.remove(static_cast<std::byte*>(host)), uses};
}

void Recorder::on_host_write(cl_mem buffer, std::size_t offset, std::size_t size,
                             const void* data) {
    if (!recording())
        return;
    guarded_.on_host_write(buffer, offset, size, data);
}

void Recorder::on_call(const char* function) {
    if (recording())
        wire::set_name(journal_->call, function);
}

void Recorder::on_failure(const char* function, wire::FailedCall call, cl_mem buffer) {
    if (!recording())
        return;
    wire::set_name(call.function, function);
    call.frames = wire::first_frames(current_frames());
    if (buffer != nullptr) {
        call.buffer_frames = wire::first_frames(buffers_.place_of(buffer));
        if (call.reason == Reason::unknown && buffers_.is_kept(buffer))
            call.reason = Reason::kept_buffer;
    }
    const std::lock_guard lock(mutex_);
    failed_launch_.reset();
    journal_->last_failure = call;
    // A host can ignore it, and fail later.
    if (journal_->first_failure.function.front() == '\0')
        journal_->first_failure = call;
}

void Recorder::on_failed_launch(const wire::Launch& launch, wire::FailedCall call) {
    call.request = Request::launch;
    wire::set_name(call.kernel, launch.kernel.c_str());
    std::ranges::copy(launch.global_size, call.global_size.begin());
    std::ranges::copy(launch.work_group_size, call.work_group_size.begin());
    call.local_memory = launch.local_memory;
    on_failure("clEnqueueNDRangeKernel", call);
    const std::lock_guard lock(mutex_);
    failed_launch_ = launch;
}

Recorder& recorder() {
    // Never destroyed: OpenCL's own threads can still report completed events at exit.
    static auto* const instance = new Recorder; // NOLINT(cppcoreguidelines-owning-memory)
    return *instance;
}

} // namespace runner
