// run: k 256/64
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* o) {
    __local int t[8];
    int l = get_local_id(0);
    if (l < 8)
        t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 8 == 3)
        atomic_cmpxchg(&t[l % 8], 0, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[l % 8];
}
