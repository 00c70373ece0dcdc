// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    __local float t[64];
    __local float u[64];
    int l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_strided_copy(t, d + g, 64, 4, 0);
    e = async_work_group_copy(u, d + 64 * g, 64, e);
    wait_group_events(1, &e);
    o[g * 64 + l] = t[l] + u[63 - l];
}
