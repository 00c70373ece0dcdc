// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// global: int 4 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c, __global int* o) {
    if (get_local_id(0) == 0) {
        if (get_group_id(0) % 2) {
            while (atomic_cmpxchg(L, 0, -1) != 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            *c += 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(L, 0);
        } else {
            for (;;) {
                int v = atomic_or(L, 0);
                if (v >= 0 && atomic_cmpxchg(L, v, v + 1) == v)
                    break;
            }
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            o[get_group_id(0)] = *c;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_dec(L);
        }
    }
}
