#include "lab2.hpp"

cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op,
                std::size_t work_group_size) {
    // [student] reduce with the kernel reduction_vector
    // | As in lab 1, but a work-group now takes 4 * work_group_size elements, and needs one cl_float4
    // | of local memory for each work-item. There is still one float per group to read back.
    const std::size_t elements_per_group = 4 * work_group_size;
    const std::size_t groups = (data.size() + elements_per_group - 1) / elements_per_group;

    std::vector<cl_float> padded = data;
    padded.resize(groups * elements_per_group, identity(op));
    std::vector<cl_float> partial_results(groups);

    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                           padded.size() * sizeof(cl_float), padded.data());
    const cl::Buffer output(setup.context, CL_MEM_WRITE_ONLY, groups * sizeof(cl_float));
    cl::Kernel kernel(setup.program, "reduction_vector");
    kernel.setArg(0, input);
    kernel.setArg(1, cl::Local(work_group_size * sizeof(cl_float4)));
    kernel.setArg(2, output);

    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * work_group_size),
                                     cl::NDRange(work_group_size));
    setup.queue.enqueueReadBuffer(output, CL_TRUE, 0, groups * sizeof(cl_float),
                                  partial_results.data());

    cl_float result = identity(op);
    for (const cl_float partial_result : partial_results)
        result = combine(op, result, partial_result);
    return result;
    // [end]
}
