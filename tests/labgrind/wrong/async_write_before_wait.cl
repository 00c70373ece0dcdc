// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// local: int 64
// expect: data-race 11
// expect: data-race 13
__kernel void k(__global const int* d, __global int* o, __local int* t) {
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, d + get_group_id(0) * 64, 64, 0);
    if (l == 0)
        t[0] = 5;
    wait_group_events(1, &e);
    o[get_global_id(0)] = t[63 - l];
}
