// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o, __global int* cnt) {
    __local int c, base;
    int l = get_local_id(0);
    if (!l)
        c = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = d[get_global_id(0)], p = -1;
    if (v % 3 == 0)
        p = atomic_inc(&c);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!l)
        base = atomic_add(cnt, c);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p >= 0)
        o[base + p] = v;
}
