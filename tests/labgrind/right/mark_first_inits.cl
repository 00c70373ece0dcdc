// run: k 8/4
// global: int 2
// global: int 2
// global: int 8
// expect: nothing
__kernel void k(__global int* done, __global int* base, __global int* out) {
    int g = get_group_id(0);
    if (atomic_cmpxchg(&done[g], 0, 1) == 0)
        base[g] = g + 10;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = base[g];
    if (get_local_id(0) == 0)
        done[g] = 0;
}
