// Labs 1 and 4 with functions of OpenCL C 3.0 instead of their trees. The kernels have the names and
// arguments of the labs, so that the solutions' host code runs them. temp is local memory with a float for
// each work-item.
//
// A work-group function combines the values of all work-items of the group. A sub-group function does the
// same for a sub-group, whose work-items usually run as one warp or wavefront and need no barrier. Then the
// sums of the sub-groups have to be combined, through local memory.

#ifdef WORK_GROUP_FUNCTIONS

float sum_of_group(float mine, __local float* temp) { return work_group_reduce_add(mine); }

float scan_of_group(float mine, __local float* temp) {
    return work_group_scan_inclusive_add(mine);
}

#else

// The sum of the first `count` floats of temp, for all work-items of the sub-group.
float sum_of_first(uint count, __local const float* temp) {
    float sum = 0.0f;
    for (uint i = get_sub_group_local_id(); i < count; i += get_sub_group_size())
        sum += temp[i];
    return sub_group_reduce_add(sum);
}

float sum_of_group(float mine, __local float* temp) {
    const float sum = sub_group_reduce_add(mine);
    if (get_sub_group_local_id() == 0)
        temp[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum_of_first(get_num_sub_groups(), temp);
}

float scan_of_group(float mine, __local float* temp) {
    const float scan = sub_group_scan_inclusive_add(mine);
    if (get_sub_group_local_id() == get_sub_group_size() - 1)
        temp[get_sub_group_id()] = scan;
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum_of_first(get_sub_group_id(), temp) + scan;
}

#endif

__kernel void reduction_scalar(__global const float* data, __local float* temp,
                               __global float* output) {
    const float sum = sum_of_group(data[get_global_id(0)], temp);
    if (get_local_id(0) == 0)
        output[get_group_id(0)] = sum;
}

__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp,
                          uint n) {
    const size_t gid = get_global_id(0);
    const float scan = scan_of_group(gid < n ? values[gid] : 0.0f, temp);
    if (gid < n)
        values[gid] = scan;
    if (get_local_id(0) == get_local_size(0) - 1)
        group_sums[get_group_id(0)] = scan;
}

__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {
    const size_t gid = get_global_id(0);
    const size_t group = get_group_id(0);
    if (group > 0 && gid < n)
        values[gid] += scanned_sums[group - 1];
}
