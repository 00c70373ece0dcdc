#include "lab9.hpp"

#include "launch.hpp"

#include <cmath>
#include <numeric>

cl_float dot_product(const Setup& setup, const std::vector<cl_float>& x,
                     const std::vector<cl_float>& y, std::size_t work_group_size) {
    // [student] multiply and add with the kernel dot_groups
    // | launch.hpp has upload(), launch() and download(). Read one float for each group, and add
    // | them up here.
    const std::size_t n = x.size();
    const std::size_t groups = groups_for(n, work_group_size);
    const cl::Buffer results(setup.context, CL_MEM_WRITE_ONLY, groups * sizeof(cl_float));

    launch(setup, "dot_groups", n, work_group_size, upload(setup, x), upload(setup, y),
           static_cast<cl_uint>(n), cl::Local(work_group_size * sizeof(cl_float)), results);

    const std::vector<cl_float> sums = download(setup, results, groups);
    return std::accumulate(sums.begin(), sums.end(), 0.0F);
    // [end]
}

cl_float root_mean_square(const Setup& setup, const std::vector<cl_float>& x,
                          std::size_t work_group_size) {
    // [student] compute the root mean square from a dot product
    const cl_float squares = dot_product(setup, x, x, work_group_size);
    return std::sqrt(squares / static_cast<cl_float>(x.size()));
    // [end]
}
