// run: k 256/64
// global: int 4 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int s;
    int l = get_local_id(0);
    if (l == 0)
        atomic_xchg(&s, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&s);
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = s;
    if (r > 0 && l == 0)
        c[get_group_id(0)] = r;
}
