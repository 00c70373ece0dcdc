// run: k 64/32
// global: int 64 = iota
// global: int 64 = 0
// global: int 64 = 0
// expect: data-race 12
__kernel void k(__global const int* in, __global int* tmp, __global int* out) {
    __local int t[32];
    const int l = get_local_id(0), i = get_global_id(0);
    tmp[i] = in[i];
    event_t e = async_work_group_copy(t, in, 32, 0);
    wait_group_events(1, &e);
    out[i] = tmp[i ^ 1] + t[l];
}
