// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: data-race 9
__kernel void k(__global const float* in, __global float* out) {
    __local float t[16];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in + get_group_id(0) * 16, 16, 0);
    out[get_global_id(0)] = t[l];
    wait_group_events(1, &e);
}
