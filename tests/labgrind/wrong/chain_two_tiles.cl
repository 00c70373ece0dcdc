// run: scan 64/16
// global: int 128 = 1
// global: int 128
// global: int 8
// global: int 8
// expect: unpromised-wait 26
// says: waits at line 26 for a group that may not have begun
// a group does two tiles, one after the other; flags are left at 0
__kernel void scan(__global const int* in, __global int* out, volatile __global int* carry,
                   volatile __global int* ready) {
    __local int s[16];
    __local int prev;
    int l = get_local_id(0), tiles = 2 * get_num_groups(0);
    for (int tile = 2 * get_group_id(0); tile < 2 * get_group_id(0) + 2; ++tile) {
        s[l] = in[tile * 16 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 16; d <<= 1) {
            int v = (l >= d) ? s[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] += v;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) {
            prev = 0;
            if (tile) {
                while (ready[tile - 1] == 0)
                    ;
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                prev = carry[tile - 1];
                atomic_xchg(&ready[tile - 1], 0);
            }
            carry[tile] = prev + s[15];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (tile + 1 < tiles)
                atomic_xchg(&ready[tile], 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[tile * 16 + l] = s[l] + prev;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
