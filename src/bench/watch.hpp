#pragma once

#include "runner/lab.hpp"

#include <limits>
#include <vector>

namespace bench {

/// The time of one call's commands on the device, in seconds.
struct DeviceTime {
    double span = 0; ///< from the start of the first command to the end of the last one
    double busy = 0; ///< the same without the gaps between commands
};

/// The least number of elements for which kernels should have the processor for themselves. With
/// fewer, waiting for each kernel would cost more than it saves.
constexpr std::size_t long_enough_to_wait = std::size_t{1} << 18U;

/// Watches the OpenCL commands that a lab's function enqueues. Kernels, fills and copies on the
/// device count; transfers between host and device do not.
///
/// Buffers without a host pointer are kept and reused, so no kernel pays for the first access to a
/// new page.
class Watch {
  public:
    Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() = default; // the rest ends with the process, after the driver may have been unloaded

    /// Forgets the commands seen so far.
    void start();
    /// The times since start(). Waits until the commands have ended.
    DeviceTime stop();

    /// The largest work-group size that the device reports, for lab 1, which asks for it.
    std::size_t largest_work_group_size = std::numeric_limits<std::size_t>::max();
    /// Writes and reads of this many bytes or more are left out: the data stays on the device, in
    /// buffers that are kept. A new buffer of that size is rejected.
    std::size_t left_out_write = std::numeric_limits<std::size_t>::max();
    std::size_t left_out_read = std::numeric_limits<std::size_t>::max();
    /// Whether buffers are kept.
    bool keeps_buffers = false;
    /// Whether each kernel ends before its launch returns. On a processor, other work of the host
    /// would take cores from the kernel: lab 8 clears the memory for its result, for instance.
    bool waits_for_kernels = false;

    /// Frees the buffers that are kept.
    void drop_buffers();

    /// The work-group size of the last kernel since start(); 0 if the driver chose it.
    std::size_t work_group_size() const { return work_group_size_; }

    // Called by the OpenCL functions of this program.
    void on_command(cl_event event) { events_.push_back(event); }
    void on_launch(std::size_t work_group_size) { work_group_size_ = work_group_size; }
    cl_mem kept_buffer(cl_context context, cl_mem_flags flags, std::size_t size);
    void keep_buffer(cl_mem buffer);
    void on_retain(cl_mem buffer);
    void on_release(cl_mem buffer);

  private:
    /// A buffer, and the program's references to it. OpenCL's own count includes references of
    /// commands, which are released some time after a command has ended.
    struct Kept {
        cl_mem buffer;
        std::size_t references;
    };

    std::vector<cl_event> events_;
    std::vector<Kept> buffers_;
    std::size_t work_group_size_ = 0;
};

/// Returns the object that the OpenCL functions of this program report to.
Watch& watch();

} // namespace bench
