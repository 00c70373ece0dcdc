// Each work-item waits for what the one before it publishes after the same loop.
// run: chain 32/16
// global: int 32 = iota
// global: int 2
// expect: lock-step-hang 15

__kernel void chain(__global const int* values, __global int* sums) {
    volatile __local int published[16];
    const uint lid = get_local_id(0);
    atomic_xchg(&published[lid], -1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = values[get_global_id(0)];
    if (lid > 0) {
        int before;
        while ((before = atomic_or(&published[lid - 1], 0)) < 0) {
        }
        sum += before;
    }
    atomic_xchg(&published[lid], sum);
    if (lid == 15)
        sums[get_group_id(0)] = sum;
}
