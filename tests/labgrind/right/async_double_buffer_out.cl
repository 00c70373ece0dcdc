// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// local: int 64
// local: int 64
// expect: nothing
__kernel void k(__global const int* d, __global int* o, __local int* t, __local int* u) {
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, d + get_group_id(0) * 64, 64, 0);
    wait_group_events(1, &e);
    for (int r = 1; r < 4; r++) {
        event_t f = async_work_group_copy(u, d + ((get_group_id(0) + r) % 4) * 64, 64, 0);
        o[get_global_id(0)] += t[63 - l];
        wait_group_events(1, &f);
        barrier(CLK_LOCAL_MEM_FENCE);
        __local int* x = t;
        t = u;
        u = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    e = async_work_group_copy(o + get_group_id(0) * 64, t, 64, 0);
    wait_group_events(1, &e);
    t[63 - l] = 5;
    o[get_group_id(0) * 64 + 63 - l] += 7;
}
