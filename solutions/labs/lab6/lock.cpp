#include "lab6.hpp"

Summary summarise(const Setup& setup, const std::vector<cl_int>& data,
                  std::size_t work_group_size) {
    // [student] summarise with the kernel summarise
    // | The arguments of the kernel summarise: the data, the number of elements, the lock (one
    // | cl_int: 0 is open), the summary, and local memory of one Summary for each work-item. What
    // | must lock and summary hold before the kernel starts?
    const std::size_t groups = (data.size() + work_group_size - 1) / work_group_size;
    cl_int open_lock = 0;
    Summary summary{0, 0, CL_INT_MIN, CL_INT_MAX};

    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY, data.size() * sizeof(cl_int));
    setup.queue.enqueueWriteBuffer(input, CL_FALSE, 0, data.size() * sizeof(cl_int), data.data());
    const cl::Buffer lock(setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof open_lock,
                          &open_lock);
    const cl::Buffer output(setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof summary,
                            &summary);

    cl::Kernel kernel(setup.program, "summarise");
    kernel.setArg(0, input);
    kernel.setArg(1, static_cast<cl_uint>(data.size()));
    kernel.setArg(2, lock);
    kernel.setArg(3, output);
    kernel.setArg(4, cl::Local(work_group_size * sizeof(Summary)));
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * work_group_size),
                                     cl::NDRange(work_group_size));
    setup.queue.enqueueReadBuffer(output, CL_TRUE, 0, sizeof summary, &summary);
    return summary;
    // [end]
}

cl_double sum_double(const Setup& setup, const std::vector<cl_double>& data,
                     std::size_t work_group_size) {
    // [student] add up with the kernel sum_double
    // | The arguments of the kernel sum_double: the data, the number of elements, and the total (one
    // | cl_double). What must the total hold before the kernel starts?
    const std::size_t groups = (data.size() + work_group_size - 1) / work_group_size;
    cl_double sum = 0;

    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY, data.size() * sizeof(cl_double));
    setup.queue.enqueueWriteBuffer(input, CL_FALSE, 0, data.size() * sizeof(cl_double),
                                   data.data());
    const cl::Buffer total(setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof sum,
                           &sum);

    cl::Kernel kernel(setup.program, "sum_double");
    kernel.setArg(0, input);
    kernel.setArg(1, static_cast<cl_uint>(data.size()));
    kernel.setArg(2, total);
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * work_group_size),
                                     cl::NDRange(work_group_size));
    setup.queue.enqueueReadBuffer(total, CL_TRUE, 0, sizeof sum, &sum);
    return sum;
    // [end]
}
