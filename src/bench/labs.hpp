#pragma once

/// The functions of the labs' solutions in one program, each lab in its own namespace. Lab 6 does
/// not sum floats; its lock is measured as one of lab 7's ways to finish.

#include "reduction.hpp"
#include "runner/lab.hpp"
#include "tuning.hpp"

// NOLINTBEGIN: LAB_FUNCTIONS is defined by each lab for its runner
namespace lab1 {
#include "lab1/lab1.hpp"
#undef LAB_FUNCTIONS
} // namespace lab1
namespace lab2 {
#include "lab2/lab2.hpp"
#undef LAB_FUNCTIONS
} // namespace lab2
namespace lab3 {
#include "lab3/lab3.hpp"
#undef LAB_FUNCTIONS
} // namespace lab3
namespace lab4 {
#include "lab4/lab4.hpp"
#undef LAB_FUNCTIONS
} // namespace lab4
namespace lab5 {
#include "lab5/lab5.hpp"
#undef LAB_FUNCTIONS
} // namespace lab5
namespace lab7 {
#include "lab7/lab7.hpp"
#undef LAB_FUNCTIONS
} // namespace lab7
namespace lab8 {
#include "lab8/lab8.hpp"
#undef LAB_FUNCTIONS
} // namespace lab8
// NOLINTEND

namespace bench {

/// The work-group size of labs/tuning.hpp for lab 7.
inline std::size_t tuned_group_size(const cl::Device& device, lab7::Finish finish) {
    const ReductionTuning tuning = reduction_tuning(device);
    return finish == lab7::Finish::tickets ? tuning.work_group_size_with_tickets
                                           : tuning.work_group_size;
}

/// A device that is set up for the labs.
class Workshop {
  public:
    /// `root` is the folder with solutions/kernels. `device` is a number of ./harness
    /// --list-devices; -1 chooses as ./harness does. Throws std::runtime_error.
    Workshop(std::string root, int device);

    const cl::Device& device() const { return device_; }
    bool is_cpu() const;

    /// Returns a setup without a lab's program.
    Setup setup() const { return {device_, context_, queue_, {}}; }
    /// Returns the setup of one of the labs above, with its kernels built for float sums. Throws
    /// std::runtime_error.
    Setup setup(int lab) const;
    /// Returns a setup with another program. Throws std::runtime_error.
    Setup setup(const std::string& source, const std::string& options) const;

    /// Returns the text of a lab's kernel file. Throws std::runtime_error.
    std::string source(int lab) const;
    /// Returns the text of another file of the course. Throws std::runtime_error.
    std::string source(const std::string& file) const;
    /// Whether the device's OpenCL C 3.0 has a feature: "__opencl_c_subgroups".
    bool has_feature(const std::string& name) const;

  private:
    std::string root_;
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
};

/// The kernel that copies float4: no scan can be faster.
extern const char* const copy_source;

/// Launches it on `n` floats, a multiple of 4.
void copy(const Setup& setup, const cl::Buffer& from, const cl::Buffer& to, std::size_t n,
          std::size_t work_group_size);

} // namespace bench
