#pragma once

#include "runner/lab.hpp"

#include <limits>
#include <vector>

namespace bench {

/// What the commands of one call took on the device, in seconds.
struct DeviceTime {
    double span = 0; ///< from the start of the first command to the end of the last one
    double busy = 0; ///< the same without the gaps between commands
};

/// From how many elements on kernels should have a processor for themselves. With fewer, waiting for each
/// kernel would cost more than it saves.
constexpr std::size_t long_enough_to_wait = std::size_t{1} << 18U;

/// Watches the OpenCL commands that a lab's function enqueues. Kernels, fills and copies on the device
/// count; transfers between host and device do not.
///
/// Buffers without a host pointer are kept and used again, so no kernel pays for the first touch of a
/// fresh page.
class Watch {
  public:
    Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    Watch(Watch&&) = delete;
    Watch& operator=(Watch&&) = delete;
    ~Watch() =
        default; // what is left goes with the process, which the driver may have left already

    /// Forgets the commands seen so far.
    void start();
    /// The times since start(). Waits until the commands have ended.
    DeviceTime stop();

    /// What the device says its largest work-group size is: for lab 1, which asks for it.
    std::size_t largest_work_group_size = std::numeric_limits<std::size_t>::max();
    /// Writes and reads of so many bytes or more are left out: the data stays on the device, in buffers
    /// that are kept. A new buffer of that size is refused.
    std::size_t left_out_write = std::numeric_limits<std::size_t>::max();
    std::size_t left_out_read = std::numeric_limits<std::size_t>::max();
    /// Whether buffers are kept.
    bool keeps_buffers = false;
    /// Whether each kernel ends before its launch returns. On a processor, what the host does meanwhile
    /// takes cores away from the kernel: lab 8 clears the memory for its result, for instance.
    bool waits_for_kernels = false;

    /// Frees the buffers that are kept.
    void drop_buffers();

    /// The work-group size of the last kernel since start(); 0 where the driver chose it.
    std::size_t work_group_size() const { return work_group_size_; }

    // What the OpenCL functions of this program call.
    void on_command(cl_event event) { events_.push_back(event); }
    void on_launch(std::size_t work_group_size) { work_group_size_ = work_group_size; }
    cl_mem kept_buffer(cl_context context, cl_mem_flags flags, std::size_t size);
    void keep_buffer(cl_mem buffer);
    void on_retain(cl_mem buffer);
    void on_release(cl_mem buffer);

  private:
    /// A buffer, and how many references the program has to it; OpenCL's own count has those of commands
    /// in it, which go away some time after a command has ended.
    struct Kept {
        cl_mem buffer;
        std::size_t references;
    };

    std::vector<cl_event> events_;
    std::vector<Kept> buffers_;
    std::size_t work_group_size_ = 0;
};

/// The one that the OpenCL functions of this program report to.
Watch& watch();

} // namespace bench
