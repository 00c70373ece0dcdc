// run: k 64/32
// global: int 64 = iota
// global: int 64 = iota
// global: int 64 = 0
// expect: nothing
__kernel void k(__global const int* a, __global const int* b, __global int* out) {
    __local int ta[32], tb[32];
    const int l = get_local_id(0), base = get_group_id(0) * 32;
    event_t e[2];
    e[0] = async_work_group_copy(ta, a + base, 32, 0);
    e[1] = async_work_group_strided_copy(tb, b + get_group_id(0), 32, 2, 0);
    wait_group_events(2, e);
    out[base + l] = ta[l] + tb[31 - l];
}
