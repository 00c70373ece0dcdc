// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local volatile int best;
    int l = get_local_id(0), v = d[get_global_id(0)] * 31 % 97;
    if (l == 0)
        best = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > best)
        atomic_max(&best, v);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        o[get_group_id(0)] = best;
}
