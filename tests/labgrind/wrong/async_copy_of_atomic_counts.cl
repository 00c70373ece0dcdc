// run: k 256/64
// global: int 256 = iota
// global: int 64 = 0
// expect: data-race 13
__kernel void k(__global const int* data, __global int* counts) {
    __local int bins[16];
    const int lid = get_local_id(0);
    if (lid < 16)
        bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int bin = data[get_global_id(0)] % 16;
    // The counts may still change when they are copied.
    atomic_inc(&bins[bin]);
    event_t done = async_work_group_copy(counts + 16 * get_group_id(0), bins, 16, 0);
    wait_group_events(1, &done);
}
