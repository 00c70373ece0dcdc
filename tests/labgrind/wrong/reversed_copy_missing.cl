// Two arrays in one, both filled from the end: work-item 0 does not copy its element to the second one.
// run: copies 8/8
// global: float 8 = iota
// local: float 16
// expect: uninitialised 15
// says: work-item 0 does not execute line 13, where work-item 1 writes temp[6]
// never: line 11
__kernel void copies(__global float* x, __local float* temp) {
    const uint lid = get_local_id(0);
    const uint last = get_local_size(0) - 1;
    temp[get_local_size(0) + last - lid] = x[lid];
    if (lid > 0)
        temp[last - lid] = 2 * temp[get_local_size(0) + last - lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[lid] = temp[last - lid];
}
