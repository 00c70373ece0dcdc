// Only the work-items that add halve i, so the others never leave the loop.
// run: sum 64/8
// global: int 64 = iota
// local: int 8
// global: int 8 = 0
// expect: divergent-barrier 20
// says: line 18 changes i only where the condition at line 16 holds, so the work-items of a group get different values of it: the barrier at line 20 is reached by
__kernel void sum(__global const int* data, __local int* sums, __global int* results) {
    const uint lid = get_local_id(0);

    sums[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint i = get_local_size(0) / 2;
    while (i > 0) {
        if (lid < i) {
            sums[lid] += sums[lid + i];
            i /= 2;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        results[get_group_id(0)] = sums[0];
}
