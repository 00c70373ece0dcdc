// run: k 8/4
// global: int 8 = iota
// global: int 8 = 0
// expect: uninitialised 21
// says: no work-item of the group executes line 18, which sets it
// never: += or a similar operator

// Only the groups after the first one set what all work-items add.
__kernel void k(__global const int* data, __global int* result) {
    __local int sum_before;
    const size_t lid = get_local_id(0);
    const size_t group = get_group_id(0);
    if (lid == 0) {
        int before = 0;
        for (size_t i = 0; i < group * get_local_size(0); ++i)
            before += data[i];
        if (group > 0)
            sum_before = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    result[get_global_id(0)] = sum_before + data[get_global_id(0)];
}
