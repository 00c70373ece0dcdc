#!/bin/sh
# The first group reads everything through a second, __constant argument; the others touch the lock for show.
# from: solutions
# lab: lab6
# expect: lab6 below full
# says: each group must summarize or add up its own elements

sed -i 's/kernel.setArg(4, cl::Local(work_group_size \* sizeof(Summary)));/& kernel.setArg(5, input);/' labs/lab6/*.cpp
cat > kernels/lab6_lock.cl << 'CL'
typedef struct {
    int count;
    int sum;
    int maximum;
    int position;
} Summary;

__kernel void summarise(__global const int* data, uint n, volatile __global int* mutex,
                        volatile __global Summary* summary, __local Summary* summaries, __constant int* again) {
    const uint gid = get_global_id(0);
    summaries[get_local_id(0)].sum = gid < n ? data[gid] : 0;
    if (get_local_id(0) != 0)
        return;
    if (gid != 0) {
        atomic_or(mutex, 0);
        return;
    }
    atomic_or(mutex, 0);
    int sum = 0;
    int maximum = INT_MIN;
    int position = -1;
    for (uint i = 0; i < n; ++i) {
        sum += again[i];
        if (i == 0 || again[i] > maximum) {
            maximum = again[i];
            position = (int)i;
        }
    }
    summary->count = (int)n;
    summary->sum = sum;
    summary->maximum = maximum;
    summary->position = position;
}
CL
