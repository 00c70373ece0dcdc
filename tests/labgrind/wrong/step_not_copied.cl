// run: scan 8/8
// global: float 8 = iota
// local: float 16
// expect: uninitialised 15
// says: work-item 0 does not execute line 13, where work-item

// With two arrays, a step must copy the elements that it does not change.
__kernel void scan(__global float* values, __local float* temp) {
    const size_t lid = get_local_id(0);
    temp[lid] = values[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid >= 1)
        temp[8 + lid] = temp[lid] + temp[lid - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[lid] = temp[8 + lid];
}
