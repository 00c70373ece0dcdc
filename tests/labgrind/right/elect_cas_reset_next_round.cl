// run: k 64/64
// global: int 8 = 0
// expect: nothing
// the first work-item leads the round; the leader frees the place with an atomic
__kernel void k(__global int* o) {
    __local int leader;
    int l = get_local_id(0);
    if (l == 0)
        leader = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 8; r++) {
        if (l >= r * 8)
            atomic_cmpxchg(&leader, -1, l);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leader == l)
            o[r] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            leader = -1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
