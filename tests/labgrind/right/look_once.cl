// run: k 64/8
// global: int 64 = iota
// global: int 64 = 0
// global: int 8 = 0
// expect: nothing
// a group looks once, without a loop, if the one before it has published its sum; if not, it adds up
// everything itself
int sum_before(__global const int* d, int end) {
    int sum = 0;
    for (int i = 0; i < end; ++i)
        sum += d[i];
    return sum;
}

__kernel void k(__global const int* d, __global int* out, volatile __global int* published) {
    const int group = get_group_id(0), begin = group * get_local_size(0);
    if (get_local_id(0) != 0)
        return;
    int sum = 0;
    if (group > 0) {
        const int seen = published[group - 1];
        sum = seen != 0 ? seen - 1 : sum_before(d, begin);
    }
    for (int i = begin; i < begin + 8; ++i)
        out[i] = sum += d[i];
    atomic_xchg(&published[group], sum + 1);
}
