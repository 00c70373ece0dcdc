// run: k 64/32
// global: int 64 = iota
// global: int 64 = 0
// expect: data-race 12
__kernel void k(__global const int* in, __global int* out) {
    __local int t[32], w[32];
    const int l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_copy(t, in + g * 32, 32, 0); //@cp
    w[l] = l * l;                                             //@z
    wait_group_events(1, &e);                                 //@wt
    //@b
    out[get_global_id(0)] = t[l] * w[31 - l]; //@o
}
