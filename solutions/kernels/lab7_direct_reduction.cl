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

    // [student] sum_of_item, a loop over float4 with four accumulators that do not wait for
    // | each other, then a loop over the float4 values that are left, then the last n % 4 elements
    const uint gid = get_global_id(0);
    const uint work_items = get_global_size(0);
    const uint rounds = n / (16 * work_items);
    float4 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;

    const uint begin = get_group_id(0) * tile + get_local_id(0) * distance;
    const uint end = begin + rounds * stride;
#pragma unroll 4
    for (uint i = begin; i < end; i += stride) {
        a += data[i];
        b += data[i + step];
        c += data[i + 2 * step];
        d += data[i + 3 * step];
    }

    // What is left is less than four float4 for each work-item: one more tile for some groups.
    const uint size = get_local_size(0);
    const uint vectors = n / 4;
    uint i = 4 * (rounds * work_items + get_group_id(0) * size) + get_local_id(0);
    if (i + 3 * size < vectors) {
        a += data[i];
        b += data[i + size];
        c += data[i + 2 * size];
        d += data[i + 3 * size];
    } else {
        for (; i < vectors; i += size)
            a += data[i];
    }

    const float4 lanes = (a + b) + (c + d);
    sum = (lanes.x + lanes.y) + (lanes.z + lanes.w);

    if (gid == 0) {
        __global const float* elements = (__global const float*)data;
        for (uint k = n / 4 * 4; k < n; ++k)
            sum += elements[k];
    }
    // [end]
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

    // [student] sum_groups, one work-item writes the group's sum to its place in results
    if (get_local_id(0) == 0)
        results[get_group_id(0)] = sum;
    // [end]
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

    // [student] sum_with_lock, one work-item adds the group's sum to *total under the lock
    if (get_local_id(0) == 0) {
        lock(mutex);
        *total += sum;
        unlock(mutex);
    }
    // [end]
}

void atomic_add_float(volatile __global float* address, float value) {
    // [student] atomic_add_float, as atomic_add_double of lab 6, with atomic_cmpxchg on 32 bits
    volatile __global uint* bits = (volatile __global uint*)address;
    uint seen = *bits;
    uint assumed;
    do {
        assumed = seen;
        seen = atomic_cmpxchg(bits, assumed, as_uint(as_float(assumed) + value));
    } while (seen != assumed); // another group was faster: try again with the new value
    // [end]
}

__kernel void sum_with_compare_exchange(__global const float4* data, uint n, uint tile,
                                        uint distance, uint step, uint stride, __local float* sums,
                                        volatile __global float* total) {
    const float sum = sum_of_group(sum_of_item(data, n, tile, distance, step, stride), sums);

    // [student] sum_with_compare_exchange, one work-item adds the group's sum to *total
    if (get_local_id(0) == 0)
        atomic_add_float(total, sum);
    // [end]
}

// Ends a kernel that leaves a result for each group: writes `sum` to the group's place in `results`
// and counts the group in `done`. The group that is counted last adds up all results. All work-items
// of the group must call it. They read in `is_last`, in local memory, whether their group is the last.
void finish_by_last_group(float sum, __local float* sums, __local bool* is_last,
                          __global float* total, volatile __global float* results,
                          volatile __global uint* done) {
    // [student] finish_by_last_group, write the group's sum to results, then count the group; the
    // | group that is counted last adds up all results, with all of its work-items
    const uint lid = get_local_id(0);
    const uint groups = get_num_groups(0);

    if (lid == 0) {
        results[get_group_id(0)] = sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE); // the result is there before the group counts
        *is_last = atomic_inc(done) == groups - 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE); // the others' results are read after that
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    if (*is_last) { // the same for the whole group, so all of it reaches the barriers inside
        float mine = 0.0f;
        for (uint i = lid; i < groups; i += get_local_size(0))
            mine += results[i];
        const float all = sum_of_group(mine, sums);
        if (lid == 0)
            *total = all;
    }
    // [end]
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

    // [student] sum_by_tickets, add up tiles until there are none left; meanwhile, work-item 0 takes
    // | the ticket for the next tile and leaves it in `next`; then the last n % 4 elements
    const uint lid = get_local_id(0);
    const uint size = get_local_size(0);
    float4 lanes = 0.0f;

    // While the group reads the ticket of one tile, work-item 0 can already write that of the next
    // one to the other place, so one barrier for each tile is enough.
    uint tile = get_group_id(0);
    for (uint place = 0; tile * 4 * size < n / 4; place = 1 - place) {
        if (lid == 0)
            next[place] = get_num_groups(0) + atomic_inc(tickets);
        uint i = tile * 4 * size + lid;
        for (uint k = 0; k < 4; ++k, i += size)
            if (i < n / 4)
                lanes += data[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile = next[place];
    }
    sum = (lanes.x + lanes.y) + (lanes.z + lanes.w);

    if (get_global_id(0) == 0) {
        __global const float* elements = (__global const float*)data;
        for (uint k = n / 4 * 4; k < n; ++k)
            sum += elements[k];
    }
    // [end]
    finish_by_last_group(sum_of_group(sum, sums), sums, &is_last, total, results, done);
}
