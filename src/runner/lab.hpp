#pragma once

/// The starting point for the host code of every lab: OpenCL's C++ binding and a device that is set
/// up.

#define CL_TARGET_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#ifdef LAB_DECLARATIONS // all that runner/main.cpp needs; compiles in a third of the time
#include <CL/cl.h>
#else
#include <CL/opencl.hpp>
#endif

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef LAB_DECLARATIONS
namespace cl {
class Kernel;
}
struct Setup;
#else
/// The first fifty lines of any OpenCL program, done for you. Your function gets it as const. `queue`
/// and `program` are mutable, so you can pass them to functions with non-const parameters, such as
/// cl::EnqueueArgs.
struct Setup {
    cl::Device device;
    cl::Context context;            ///< a context on that device
    mutable cl::CommandQueue queue; ///< in order, with profiling enabled
    mutable cl::Program program;    ///< the lab's kernels, built for that device
};
#endif

/// Thrown by not_implemented(); the harness distinguishes it from a mistake.
struct NotImplemented : std::logic_error {
    NotImplemented(const std::string& what, const char* in_file, int at_line)
        : std::logic_error(what), file(in_file), line(at_line) {}
    const char* file;
    int line;
};

/// Marks what is left for you to write: `what` appears in the verdict until you replace the call.
[[noreturn]] inline void not_implemented(const std::string& what,
                                         const char* file = __builtin_FILE(),
                                         int line = __builtin_LINE()) {
    throw NotImplemented(what, file, line);
}
