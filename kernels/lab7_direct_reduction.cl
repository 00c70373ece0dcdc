// The sum of a work-item. In each round it takes four float4, one for each of four accumulators:
//
//     tile        from the first float4 of a work-group to that of the next work-group
//     distance    from the first float4 of a work-item to that of the next one in its group
//     step        from the float4 of one accumulator to that of the next one
//     stride      from the float4 of one round to that of the next one
//
// There are as many rounds as all work-items can fill. They share the remaining float4 values, at most
// four for each, and work-item 0 takes the n % 4 elements at the end.
float sum_of_item(__global const float4* data, uint n, uint tile, uint distance, uint step,
                  uint stride) {
    float sum = 0.0f;

    // not implemented yet: sum_of_item, a loop over float4 with four accumulators that do not wait for
    // each other, then a loop over the float4 values that are left, then the last n % 4 elements
    return sum;
}

// The sum of `mine` over all work-items of the group: the tree of lab 1. All of them must call it,
// and all of them get the sum.
float sum_of_group(float mine, __local float* sums) {
    const uint lid = get_local_id(0);

    sums[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            sums[lid] += sums[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sums[0];
}

// One result per group. The host adds them up, or a second launch of this kernel, in one group.
__kernel void sum_groups(__global const float4* data, uint n, uint tile, uint distance, uint step,
                         uint stride, __local float* sums, __global float* results) {
    const float sum = sum_of_group(sum_of_item(data, n, tile, distance, step, stride), sums);

    // not implemented yet: sum_groups, one work-item writes the group's sum to its place in results
}

// The lock of lab 6. 0: it is open; 1: a work-item holds it.
void lock(volatile __global int* mutex) {
    while (atomic_cmpxchg(mutex, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

void unlock(volatile __global int* mutex) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(mutex, 0);
}

__kernel void sum_with_lock(__global const float4* data, uint n, uint tile, uint distance,
                            uint step, uint stride, __local float* sums,
                            volatile __global float* total, volatile __global int* mutex) {
    const float sum = sum_of_group(sum_of_item(data, n, tile, distance, step, stride), sums);

    // not implemented yet: sum_with_lock, one work-item adds the group's sum to *total under the lock
}

void atomic_add_float(volatile __global float* address, float value) {
    // not implemented yet: atomic_add_float, as atomic_add_double of lab 6, with atomic_cmpxchg on 32 bits
}

__kernel void sum_with_compare_exchange(__global const float4* data, uint n, uint tile,
                                        uint distance, uint step, uint stride, __local float* sums,
                                        volatile __global float* total) {
    const float sum = sum_of_group(sum_of_item(data, n, tile, distance, step, stride), sums);

    // not implemented yet: sum_with_compare_exchange, one work-item adds the group's sum to *total
}

// Ends a kernel that leaves a result for each group: writes `sum` to the group's place in `results`
// and counts the group in `done`. The group that is counted last adds up all results. All work-items
// of the group must call it. They read in `is_last`, in local memory, whether their group is the last.
void finish_by_last_group(float sum, __local float* sums, __local bool* is_last,
                          __global float* total, volatile __global float* results,
                          volatile __global uint* done) {
    // not implemented yet: finish_by_last_group, write the group's sum to results, then count the group; the
    // group that is counted last adds up all results, with all of its work-items
}

__kernel void sum_by_last_group(__global const float4* data, uint n, uint tile, uint distance,
                                uint step, uint stride, __local float* sums, __global float* total,
                                volatile __global float* results, volatile __global uint* done) {
    __local bool is_last;
    const float sum = sum_of_group(sum_of_item(data, n, tile, distance, step, stride), sums);

    finish_by_last_group(sum, sums, &is_last, total, results, done);
}

// Groups take tiles of four float4 for each work-item by tickets, so a group that is ahead takes
// more of them. The first tile of a group has its number; `tickets` counts the others.
__kernel void sum_by_tickets(__global const float4* data, uint n, __local float* sums,
                             __global float* total, volatile __global float* results,
                             volatile __global uint* done, volatile __global uint* tickets) {
    __local uint next[2];
    __local bool is_last;
    float sum = 0.0f;

    // not implemented yet: sum_by_tickets, add up tiles until there are none left; meanwhile, work-item 0 takes
    // the ticket for the next tile and leaves it in `next`; then the last n % 4 elements
    finish_by_last_group(sum_of_group(sum, sums), sums, &is_last, total, results, done);
}
