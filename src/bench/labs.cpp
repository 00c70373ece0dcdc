#include "bench/labs.hpp"

#include "runner/devices.hpp"

// The headers that the solutions include, so that their contents do not end up in a lab's
// namespace.
#include "tuning.hpp"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

// The labs' headers are already included, so these files compile in their lab's namespace.
// NOLINTBEGIN(bugprone-suspicious-include)
namespace lab1 {
#include "../../solutions/labs/lab1/reduction_scalar.cpp"
} // namespace lab1
namespace lab2 {
#include "../../solutions/labs/lab2/reduction_vector.cpp"
} // namespace lab2
namespace lab3 {
#include "../../solutions/labs/lab3/reduction_complete.cpp"
} // namespace lab3
namespace lab4 {
#include "../../solutions/labs/lab4/hillis_steele_scan.cpp"
} // namespace lab4
namespace lab5 {
#include "../../solutions/labs/lab5/blelloch_scan.cpp"
} // namespace lab5
namespace lab7 {
#include "../../solutions/labs/lab7/direct_reduction.cpp"
} // namespace lab7
namespace lab8 {
#include "../../solutions/labs/lab8/single_pass_scan.cpp"
} // namespace lab8
// NOLINTEND(bugprone-suspicious-include)

namespace bench {
namespace {

/// A lab's kernel file and its build options, as in tests/labs.
struct Kernels {
    const char* file;
    const char* options;
};

const Kernels& kernels_of(int lab) {
    constexpr const char* sum = "-DSUM -DCOMBINE(a,b)=((a)+(b)) -DIDENTITY=0.0f";
    static const std::map<int, Kernels> all{
        {1, {"lab1_reduction_scalar.cl", sum}},
        {2, {"lab2_reduction_vector.cl", sum}},
        {3, {"lab3_reduction_complete.cl", sum}},
        {4, {"lab4_hillis_steele_scan.cl", ""}},
        {5, {"lab5_blelloch_scan.cl", ""}},
        {7, {"lab7_direct_reduction.cl", ""}},
        {8, {"lab8_single_pass_scan.cl", "-DTYPE=float -DTYPE4=float4 -DAS_TYPE=as_float"}}};
    return all.at(lab);
}

cl::Device find_device(int number) {
    const std::vector<cl::Device> devices = runner::find_devices();
    std::vector<wire::DeviceInfo> infos;
    std::ranges::transform(devices, std::back_inserter(infos), runner::describe);
    const int chosen = number < 0 ? runner::best_device(infos) : number;
    if (static_cast<std::size_t>(chosen) >= devices.size())
        throw std::runtime_error("there is no device " + std::to_string(chosen) +
                                 "; ./harness --list-devices shows them");
    return devices[static_cast<std::size_t>(chosen)];
}

} // namespace

const char* const copy_source =
    "__kernel void copy(__global const float4* from, __global float4* to, uint vectors) {\n"
    "    if (get_global_id(0) < vectors)\n"
    "        to[get_global_id(0)] = from[get_global_id(0)];\n"
    "}\n";

void copy(const Setup& setup, const cl::Buffer& from, const cl::Buffer& to, std::size_t n,
          std::size_t work_group_size) {
    cl::Kernel kernel(setup.program, "copy");
    kernel.setArg(0, from);
    kernel.setArg(1, to);
    kernel.setArg(2, static_cast<cl_uint>(n / 4));
    const std::size_t groups =
        std::max<std::size_t>(1, (n / 4 + work_group_size - 1) / work_group_size);
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * work_group_size),
                                     cl::NDRange(work_group_size));
}

Workshop::Workshop(std::string root, int device)
    : root_(std::move(root)), device_(find_device(device)), context_(device_),
      queue_(context_, device_, CL_QUEUE_PROFILING_ENABLE) {}

bool Workshop::is_cpu() const {
    return (device_.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
}

std::string Workshop::source(int lab) const {
    return source(std::string("solutions/kernels/") + kernels_of(lab).file);
}

std::string Workshop::source(const std::string& file) const {
    const std::string path = root_ + "/" + file;
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        throw std::runtime_error("cannot read " + path + "; name the course's folder: --root DIR");
    return {std::istreambuf_iterator<char>(stream), {}};
}

Setup Workshop::setup(int lab) const {
    return setup(source(lab), std::string("-cl-std=CL1.2 ") + kernels_of(lab).options);
}

Setup Workshop::setup(const std::string& source, const std::string& options) const {
    const cl::Program program(context_, runner::prelude(device_) + source);
    try {
        program.build({device_}, options.c_str());
    } catch (const cl::Error&) {
        throw std::runtime_error("a kernel does not build on this device:\n" +
                                 program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_));
    }
    return {device_, context_, queue_, program};
}

bool Workshop::has_feature(const std::string& name) const {
    const cl::Program probe(context_, "__kernel void works() {}\n#ifdef " + name +
                                          "\n__kernel void has_feature() {}\n#endif\n");
    try {
        probe.build({device_}, "-cl-std=CL3.0");
        const cl::Kernel kernel(probe, "has_feature");
        return true;
    } catch (const cl::Error&) {
        return false;
    }
}

} // namespace bench
