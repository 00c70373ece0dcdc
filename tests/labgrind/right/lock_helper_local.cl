// run: k 256/64
// global: int 4 = 0
// expect: nothing
void lock(volatile __local int* m) {
    while (atomic_cmpxchg(m, 0, 1) == 1)
        ;
}
void unlock(volatile __local int* m) { atomic_xchg(m, 0); }
__kernel void k(__global int* c) {
    volatile __local int m;
    __local int s;
    int l = get_local_id(0);
    if (l == 0) {
        m = 0;
        s = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 64; i++) {
        if (i == l) {
            lock(&m);
            mem_fence(CLK_LOCAL_MEM_FENCE);
            s += l;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            unlock(&m);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        c[get_group_id(0)] = s;
}
