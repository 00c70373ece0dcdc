// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// local: int 64
// expect: data-race 8
__kernel void k(__global const int* d, __global int* o, __local int* t) {
    int l = get_local_id(0);
    t[l] = d[get_global_id(0)] * 2;
    event_t e = async_work_group_copy(o + get_group_id(0) * 64, t, 64, 0);
    wait_group_events(1, &e);
}
