// run: k 8/8
// global: int 8 = iota
// local: int 8
// value: uint 5
// expect: uninitialised 19
// says: work-item 5 does not execute line 14, where work-item 4 writes temp[4]
// never: should it be =

// The work-items beyond the end store no 0, although they add to their elements.
__kernel void k(__global int* sums, __local int* temp, uint n) {
    const size_t lid = get_local_id(0);
    int left = 0;
    if (lid < n)
        temp[lid] = sums[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t distance = 1; distance < get_local_size(0); distance *= 2) {
        left = lid >= distance && lid - distance < n ? temp[lid - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        temp[lid] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[lid] = temp[lid];
}
