// run: k 256/64
// global: int 8 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int L[4];
    __local int v[4];
    int l = get_local_id(0);
    if (l < 4) {
        L[l] = 0;
        v[l] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 32 == 0) {
        int b = l / 32;
        while (atomic_xchg(L + b, 1))
            ;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        v[b] += l + 1;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        atomic_xchg(L + b, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2)
        c[get_group_id(0) * 2 + l] = v[l];
}
