// run: k 4/1
// global: int 4
// global: int 8
// global: int 4
// expect: nothing
// a scratch slot is taken wherever one is free
__kernel void k(volatile __global int* used, __global int* scratch, __global int* out) {
    int g = get_group_id(0), s = 0;
    while (atomic_cmpxchg(&used[s], 0, 1) != 0)
        s = (s + 1) & 3;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    scratch[2 * s] = g;
    scratch[2 * s + 1] = g * g;
    out[g] = scratch[2 * s] + scratch[2 * s + 1];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&used[s], 0);
}
