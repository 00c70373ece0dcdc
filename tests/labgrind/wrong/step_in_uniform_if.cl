// All work-items take every other step of the toggle, so that is not what makes them race.
// run: sum 64/8
// global: int 64 = iota
// local: int 8
// global: int 8 = 0
// expect: data-race 15
// says: there is no barrier
__kernel void sum(__global const int* data, __local int* sums, __global int* results) {
    const uint lid = get_local_id(0);
    const uint size = get_local_size(0);
    sums[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint distance = 1;
    for (uint i = 0; distance < size; ++i) {
        const int left = lid >= distance ? sums[lid - distance] : 0;
        if (i % 2 == 0) barrier(CLK_LOCAL_MEM_FENCE);
        sums[lid] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (size > 1)
            distance *= 2;
    }
    if (lid + 1 == size)
        results[get_group_id(0)] = sums[lid];
}
