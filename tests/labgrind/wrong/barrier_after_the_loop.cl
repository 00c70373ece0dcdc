// run: reduce 8/8
// global: float 8 = iota
// global: float 8 = 0
// expect: data-race 17
// says: there is no barrier between line 15 and line 17

// The read after the loop comes after its last step, not in its next iteration.
__kernel void reduce(__global const float* values, __global float* sums) {
    __local float cells[8];
    const size_t lid = get_local_id(0);
    cells[lid] = values[lid];
    for (size_t i = 4; i > 0; i /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < i)
            cells[lid] += cells[lid + i];
    }
    sums[lid] = cells[0];
}
