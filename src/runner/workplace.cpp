#include "runner/workplace.hpp"

#include "runner/devices.hpp"

#include <algorithm>
#include <stdexcept>

namespace runner {
std::uint64_t duration(const cl::Event& event) {
    event.wait();
    return event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
           event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
}

Workplace::Workplace(cl::Device device)
    : device_(std::move(device)), context_(device_),
      queue_(context_, device_, CL_QUEUE_PROFILING_ENABLE) {}

const BuiltProgram& Workplace::build(const wire::ProgramSource& source) {
    const auto key = std::make_pair(source.source, source.options);
    const auto known = programs_.find(key);
    if (known != programs_.end())
        return known->second;
    BuiltProgram built{cl::Program(context_, prelude(device_) + source.source), false, {}};
    try {
        // clGetKernelArgInfo needs this option.
        built.program.build({device_}, (source.options + " -cl-kernel-arg-info").c_str());
        built.built = true;
        built.build_log = built.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
    } catch (const cl::Error& error) {
        built.build_log = std::string(error.what()) + " returned error " +
                          std::to_string(error.err()) + "\n" +
                          built.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
    }
    return programs_.emplace(key, std::move(built)).first->second;
}

wire::ProgramInfo Workplace::inspect(const wire::ProgramSource& source) {
    const BuiltProgram& built = build(source);
    wire::ProgramInfo info{built.built, built.build_log, {}};
    if (!built.built)
        return info;
    std::vector<cl::Kernel> kernels;
    cl::Program(built.program).createKernels(&kernels);
    for (const cl::Kernel& kernel : kernels) {
        std::string name = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
        name.resize(std::min(name.size(), name.find('\0')));
        info.kernels.push_back({name, kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_)});
    }
    return info;
}

cl::Kernel Workplace::prepare(const wire::Baseline& baseline) {
    const BuiltProgram& built = build(baseline.program);
    if (!built.built)
        throw std::runtime_error("the harness's own kernel does not build: " + built.build_log);
    cl::Kernel kernel(built.program, baseline.kernel.c_str());
    cl_uint index = 0;
    for (const std::size_t size : baseline.buffers) {
        const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, size);
        queue_.enqueueFillBuffer(buffer, cl_float(1), 0, size);
        kernel.setArg(index++, buffer);
        buffers_.push_back(buffer);
    }
    if (baseline.local_memory != 0)
        kernel.setArg(index, cl::Local(baseline.local_memory));
    return kernel;
}

std::uint64_t Workplace::time(const cl::Kernel& kernel, const wire::Baseline& baseline) const {
    cl::Event event;
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(baseline.global_size),
                                cl::NDRange(baseline.work_group_size), nullptr, &event);
    return duration(event);
}

} // namespace runner
