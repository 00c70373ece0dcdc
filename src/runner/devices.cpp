#include "runner/devices.hpp"

#include <algorithm>
#include <sstream>

namespace runner {
namespace {

/// Locks and look-backs hand data from group to group, with fences that order global memory for
/// all groups. NVIDIA's compiler makes fences and barriers act only within the group, so there a
/// fence of the whole device goes with them.
constexpr const char* nvidia_fences = R"(void order_device_memory(void) {
    asm volatile("membar.gl;" : : : "memory");
}
#define order_global_memory(flags) \
    (((flags) & CLK_GLOBAL_MEM_FENCE) != 0 ? order_device_memory() : (void)0)
#define mem_fence(flags) (mem_fence(flags), order_global_memory(flags))
#define read_mem_fence(flags) (read_mem_fence(flags), order_global_memory(flags))
#define write_mem_fence(flags) (write_mem_fence(flags), order_global_memory(flags))
#define barrier(flags) (order_global_memory(flags), barrier(flags), order_global_memory(flags))
#line 1
)";

wire::DeviceType type_of(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0)
        return wire::DeviceType::gpu;
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0)
        return wire::DeviceType::accelerator;
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? wire::DeviceType::cpu : wire::DeviceType::other;
}

} // namespace

std::vector<cl::Device> find_devices() {
    std::vector<cl::Device> found;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error&) {
        return found; // the loader calls "no platform" an error
    }
    for (const cl::Platform& platform : platforms) {
        std::vector<cl::Device> devices;
        try {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
        } catch (const cl::Error&) {
            continue; // a platform without a device, a driver without its hardware
        }
        found.insert(found.end(), devices.begin(), devices.end());
    }
    return found;
}

wire::DeviceInfo describe(const cl::Device& device) {
    wire::DeviceInfo info;
    info.name = device.getInfo<CL_DEVICE_NAME>();
    info.platform = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    info.version = device.getInfo<CL_DEVICE_VERSION>();
    info.driver = device.getInfo<CL_DRIVER_VERSION>();
    info.type = type_of(device.getInfo<CL_DEVICE_TYPE>());
    info.max_work_group_size = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    std::istringstream words(device.getInfo<CL_DEVICE_EXTENSIONS>());
    for (std::string word; words >> word;)
        info.extensions.push_back(word);
    return info;
}

std::string prelude(const cl::Device& device) {
    const std::string version = device.getInfo<CL_DEVICE_VERSION>();
    return version.find("CUDA") == std::string::npos ? "" : nvidia_fences;
}

int best_device(const std::vector<wire::DeviceInfo>& devices) {
    const auto best = std::ranges::max_element(devices, {}, &wire::DeviceInfo::type);
    if (best == devices.end())
        throw std::runtime_error(
            "there is no OpenCL device; install the CPU device with: make setup");
    return static_cast<int>(best - devices.begin());
}

} // namespace runner
