// run: move 8/8
// global: float 8 = iota
// local: float 16
// expect: data-race 14
// says: or an index or the condition at line 13 is wrong

// A work-item makes one of the two accesses, so no barrier can come between them.
__kernel void move(__global float* values, __local float* temp) {
    const size_t lid = get_local_id(0);
    temp[lid] = values[lid];
    temp[8 + lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid >= 1)
        temp[8 + lid] = temp[8 + lid - 1] + 1;
    else
        temp[8 + lid] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    values[lid] = temp[8 + lid];
}
