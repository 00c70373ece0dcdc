// run: k 256/64
// global: int 4 = 0
// global: int 256 = 0
// global: int 256 = 0
// expect: unpromised-wait 12
// says: waits at line 12 for a group that may not have begun
// A wavefront: group g waits for g - 1 by polling with atomic_cmpxchg(1, 1)
__kernel void k(volatile __global int* ready, __global int* row, __global int* o) {
    int g = get_group_id(0), l = get_local_id(0);
    if (g > 0) {
        if (l == 0)
            while (atomic_cmpxchg(&ready[g - 1], 1, 1) != 1)
                ;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        o[g * 64 + l] = row[(g - 1) * 64 + 63 - l];
    }
    row[g * 64 + l] = (g > 0 ? o[g * 64 + l] : 0) + l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        atomic_xchg(&ready[g], 1);
}
