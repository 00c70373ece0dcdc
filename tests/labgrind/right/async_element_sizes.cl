// run: k 64/16
// global: int 16 = iota
// global: int 32 = iota
// global: int 128 = iota
// global: int 64 = 0
// expect: nothing
__kernel void k(__global const char* chars, __global const ushort* shorts,
                __global const long* longs, __global int* o) {
    __local char c[16];
    __local ushort s[16];
    __local long l[16];
    const int me = get_local_id(0), first = 16 * get_group_id(0);
    event_t e = async_work_group_copy(c, chars + first, 16, 0);
    e = async_work_group_copy(s, shorts + first, 16, e);
    e = async_work_group_copy(l, longs + first, 16, e);
    wait_group_events(1, &e);
    o[first + me] = c[15 - me] + s[15 - me] + (int)l[15 - me];
}
