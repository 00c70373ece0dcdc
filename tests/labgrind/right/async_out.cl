// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0);
    __local float t[64];
    event_t e[2];
    e[0] = async_work_group_copy(s, d + get_group_id(0) * n, n, 0);
    wait_group_events(1, e);
    t[l] = s[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    e[1] = async_work_group_copy(o + get_group_id(0) * n, (const __local float*)t, n, 0);
    wait_group_events(1, e + 1);
    t[l] = 0;
}
