// run: k 128/64
// global: float 128 = iota
// global: float 128 = iota
// global: float 128 = 0
// local: float 64
// local: float 64
// expect: nothing
__kernel void k(__global const float* a, __global const float* b, __global float* o,
                __local float* la, __local float* lb) {
    int base = get_group_id(0) * get_local_size(0), l = get_local_id(0);
    event_t e = async_work_group_copy(la, a + base, get_local_size(0), 0);
    e = async_work_group_copy(lb, b + base, get_local_size(0), e);
    wait_group_events(1, &e);
    la[l] += lb[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t f = async_work_group_copy(o + base, la, get_local_size(0), (event_t)0);
    wait_group_events(1, &f);
}
