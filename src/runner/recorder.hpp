#pragma once

#include "runner/buffer_record.hpp"
#include "runner/call_settings.hpp"
#include "runner/callbacks.hpp"
#include "runner/command_order.hpp"
#include "runner/device_limits.hpp"
#include "runner/event_times.hpp"
#include "runner/guarded_buffers.hpp"
#include "runner/host_memory.hpp"
#include "runner/kernel_arguments.hpp"
#include "runner/known_words.hpp"
#include "runner/lab.hpp"
#include "runner/launch_record.hpp"
#include "runner/launcher.hpp"
#include "runner/mappings.hpp"
#include "runner/nd_range.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace runner {

/// Watches the OpenCL calls of student code while it is recording: opencl_calls.cpp passes each
/// call to it on the way to the OpenCL library. Buffers are filled and surrounded by guard zones.
class Recorder {
  public:
    /// Starts recording, with nothing recorded.
    void begin(wire::Journal& journal, const CallSettings& settings);
    /// Waits for all kernels, stops recording, and returns what was recorded. Throws cl::Error if a
    /// kernel failed on the device.
    wire::Evidence end();
    /// Stops recording and returns only the launches and transfers; for calls that did not return.
    wire::Evidence abandon();

    /// The launch that failed, if the last failed OpenCL call was one.
    const std::optional<wire::Launch>& failed_launch() const { return failed_launch_; }

    // The calls below mirror OpenCL's functions of the same name.
    cl_int get_device_info(cl_device_id device, cl_device_info name, std::size_t size, void* value,
                           std::size_t* size_needed) const;
    cl_int get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                      cl_kernel_work_group_info name, std::size_t size, void* value,
                                      std::size_t* size_needed) const;
    cl_mem create_buffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host,
                         cl_int* error);
    cl_mem create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                             const void* info, cl_int* error);
    cl_int get_event_profiling_info(cl_event event, cl_profiling_info name, std::size_t size,
                                    void* value, std::size_t* size_needed);
    cl_int set_kernel_arg(cl_kernel kernel, cl_uint index, std::size_t size, const void* value);
    cl_int enqueue_nd_range_kernel(const NdRange& range);

    /// The host has waited until everything launched so far had ended.
    void on_all_done();
    /// Asks OpenCL which kernels have ended. For a thread beside the student's, once a call hangs:
    /// if done all the time, for example by event callbacks, it makes NVIDIA's driver hang now and
    /// then.
    void count_completed();

    void on_create_kernel(cl_kernel kernel) { arguments_.forget(kernel); }
    void on_create_queue(cl_command_queue queue, cl_command_queue_properties properties);
    /// Returns the properties that the student created a queue with.
    cl_command_queue_properties properties_of(cl_command_queue queue,
                                              cl_command_queue_properties own) const {
        return times_.properties_of(queue, own);
    }

    /// The host got an input of the call, which lies at `bytes`.
    void on_input(std::span<const std::byte> bytes);
    /// How a copy of `size` bytes from `data` fails because an input ends before.
    std::optional<wire::FailedCall> refusal_of_source(const void* data, std::size_t size) const;

    /// A command has been enqueued.
    void on_command(const CommandOrder::Command& command);
    /// The same for a command that reads or writes the host's memory at `host`. If it does not
    /// block, `arrive` is called once the host knows that it has ended.
    void on_transfer(const CommandOrder::Command& command, void* host, bool reads,
                     std::function<void()> arrive = {});
    /// The same for a write from `source`. The host must not change that before it has waited for
    /// the write, even if the device has copied it at once.
    void on_write(const CommandOrder::Command& command, std::span<const std::byte> source);
    /// A read of `bytes` bytes comes now; `into`: where to, if that is known.
    void on_read(std::size_t bytes, std::span<const std::byte> into = {});
    /// A read has stored `size` bytes at `host`.
    void on_read_done(void* host, std::size_t size);
    /// The same for a read that the host has waited for. It may have freed the memory before.
    void on_read_arrived(void* host, std::size_t size);
    /// Whether non-blocking reads have to be delayed: kernels that run elsewhere have all
    /// ended when a read begins, which no device guarantees.
    bool delays_reads() const {
        return recording() && settings_.elsewhere != nullptr &&
               !makes_blocking(wire::Blocking::reads);
    }
    /// Whether the host continues only when its launch has ended, because the launch runs
    /// elsewhere or is timed: then the launch cannot wait for what the host does afterwards.
    bool waits_for_launches() const {
        return recording() && (settings_.elsewhere != nullptr || settings_.timer != nullptr);
    }
    /// Whether `transfers` that the host enqueues as non-blocking must block.
    bool makes_blocking(wire::Blocking transfers) const {
        return recording() && settings_.blocking == transfers;
    }
    /// A non-blocking read has stored its bytes at `pieces`, but the host must not see them before
    /// it has waited for the read.
    void on_delayed_read(const CommandOrder::Command& command,
                         const std::vector<std::span<std::byte>>& pieces);
    /// The host has waited for commands, or knows that they have ended.
    void on_waited_for(cl_uint count, const cl_event* events);
    /// OpenCL calls a function of the host.
    void on_callback(Callback callback);
    /// The host asks for the status of a command that has ended. Returns what it gets to see.
    cl_int status_of_ended(cl_event event);
    void on_finished(cl_command_queue queue);
    void on_user_event();
    void on_set_user_event(cl_event event, cl_int status);

    /// A mapping of a buffer.
    struct Map {
        cl_mem buffer = nullptr;
        std::size_t offset = 0;
        std::size_t size = 0;
        bool reads = false;
        bool writes = false;
        bool there = false; ///< the mapped bytes can be read already
        bool delayed = false;
    };
    void* on_map(const CommandOrder::Command& command, const Map& map, void* device);
    /// The host unmaps `host`. Returns the address at which OpenCL has mapped it, and what the
    /// unmap writes.
    std::pair<void*, std::vector<Use>> on_unmap(void* host);
    const Mappings& mappings() const { return mappings_; }

    /// The host writes `size` bytes at `offset`; `data` is null if the bytes are unknown.
    void on_host_write(cl_mem buffer, std::size_t offset, std::size_t size, const void* data);
    void on_call(const char* function);
    /// The host's call of `function` has failed; `buffer`: that of a transfer.
    void on_failure(const char* function, wire::FailedCall call, cl_mem buffer = nullptr);

    /// Whether calls are watched; false for the recorder's own calls.
    bool recording() const;

  private:
    void reset();
    cl_mem_flags allowed(cl_mem_flags flags) const;
    cl_mem note_buffer(cl_mem buffer);
    void note_transfer(const CommandOrder::Command& command);
    void note_unwaited_reads();
    void run(const Callback& callback);
    void run_callbacks();

    void on_failed_launch(const wire::Launch& launch, wire::FailedCall call);
    std::uint32_t note_in_journal(const wire::Launch& launch);
    void note_command(const NdRange& range, const std::string& kernel, std::uint32_t number,
                      const std::vector<SetArgument>& arguments);

    bool recording_ = false;
    CallSettings settings_;
    wire::Journal* journal_ = nullptr;
    KernelArguments arguments_; ///< as OpenCL keeps them
    GuardedBuffers guarded_;
    EventTimes times_;
    LaunchRecord launches_{times_};
    CommandOrder order_;
    Callbacks callbacks_{[this](const Callback& callback) { run(callback); }};
    Mappings mappings_;
    BufferRecord buffers_;
    HostMemory host_memory_;
    Launcher launcher_{settings_, mappings_, guarded_};
    std::mutex mutex_; ///< student code can have threads; guards what follows
    wire::Evidence evidence_;
    std::optional<wire::Launch> failed_launch_;
};

/// Returns the process's only recorder: OpenCL's C functions carry no context of ours.
Recorder& recorder();

} // namespace runner
