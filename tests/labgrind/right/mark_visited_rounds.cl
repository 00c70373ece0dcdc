// run: rounds 16/16
// global: int 16
// global: int 16
// global: int 4
// value: int 4
// expect: nothing
// colours claimed by neighbours in every round; the marks are wiped before the next round
__kernel void rounds(volatile __global int* mark, __global int* who, volatile __global int* claims,
                     int n) {
    int me = get_local_id(0);
    for (int r = 0; r < n; r++) {
        int target = (me * (r + 1)) & 7;
        if (atomic_cmpxchg(&mark[target], 0, 1) == 0)
            atomic_inc(&claims[r]);
        barrier(CLK_GLOBAL_MEM_FENCE);
        mark[me] = 0;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    who[me] = me;
}
