// The same struct as in labs/lab6/lab6.hpp.
typedef struct {
    int count;
    int sum;
    int maximum;
    int position;
} Summary;

// 0: the lock is free; 1: a work-item holds it.
void lock(volatile __global int* mutex) {
    // [student] lock, wait until atomic_cmpxchg turns 0 into 1
    while (atomic_cmpxchg(mutex, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE); // what is read under the lock is read after taking it
    // [end]
}

void unlock(volatile __global int* mutex) {
    // [student] unlock, make everything written under the lock visible first
    mem_fence(CLK_GLOBAL_MEM_FENCE); // what was written under the lock is there before it opens
    atomic_xchg(mutex, 0);
    // [end]
}

// Merges the summary of other elements into `into`. Of equal maxima, the smallest index wins.
void merge(Summary* into, Summary other) {
    into->count += other.count;
    into->sum += other.sum;
    if (other.maximum > into->maximum ||
        (other.maximum == into->maximum && other.position < into->position)) {
        into->maximum = other.maximum;
        into->position = other.position;
    }
}

// Puts the summary of the group's elements in summaries[0]. Already written: it is lab 1's tree.
void summarise_group(__global const int* data, uint n, __local Summary* summaries) {
    const size_t gid = get_global_id(0);
    const size_t lid = get_local_id(0);

    Summary mine = {0, 0, INT_MIN, INT_MAX};
    if (gid < n) {
        mine.count = 1;
        mine.sum = data[gid];
        mine.maximum = data[gid];
        mine.position = (int)gid;
    }
    summaries[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i) {
            merge(&mine, summaries[lid + i]);
            summaries[lid] = mine;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void summarise(__global const int* data, uint n, volatile __global int* mutex,
                        volatile __global Summary* summary, __local Summary* summaries) {
    summarise_group(data, n, summaries);

    // [student] summarise, one work-item of the group takes the lock and merges
    // | summaries[0] into *summary
    if (get_local_id(0) == 0) {
        lock(mutex);
        Summary total = {summary->count, summary->sum, summary->maximum, summary->position};
        merge(&total, summaries[0]);
        summary->count = total.count;
        summary->sum = total.sum;
        summary->maximum = total.maximum;
        summary->position = total.position;
        unlock(mutex);
    }
    // [end]
}
