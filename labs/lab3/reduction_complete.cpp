#include "lab3.hpp"

cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op,
                std::size_t work_group_size) {
    // 1. Pad the data to whole work-groups of float4 and copy it to a first buffer. A second buffer
    //    has one float4 per group, rounded up to whole work-groups as well: fill the rest with
    //    identity(op) (setup.queue.enqueueFillBuffer).
    // 2. While there is more than one group, run reduction_vector and swap the two buffers.
    // 3. Run reduction_complete with one work-group, then read back its float.
    not_implemented("reduce on the device until one float is left");
}
