// The work-items that do not add keep a smaller distance, with which they go on after the loop.
// run: sum 64/8
// global: int 64 = iota
// local: int 8
// global: int 64 = 0
// expect: data-race 24
// says: line 19 changes distance only where the condition at line 17 holds, so the work-items of a group get different values of it: work-item
__kernel void sum(__global const int* data, __local int* sums, __global int* results) {
    const uint lid = get_local_id(0);
    const uint size = get_local_size(0);
    sums[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint distance = 1;
    for (uint left = size / 2; left > 0; left /= 2) {
        const uint place = 2 * distance * lid;
        if (lid < left) {
            sums[place] += sums[place + distance];
            distance *= 2;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    // All elements but the first get the sum.
    sums[size - 1 - (lid + distance) % size] = sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    results[get_global_id(0)] = sums[lid];
}
