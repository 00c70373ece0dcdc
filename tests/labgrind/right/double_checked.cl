// run: k 256/64
// global: int 2 = 0
// global: int 1 = 0
// global: int 4 = 0
// expect: nothing
__kernel void k(volatile __global int* s, __global int* v, __global int* o) {
    if (get_local_id(0) != 0)
        return;
    if (atomic_or(&s[1], 0) == 0) {
        while (atomic_cmpxchg(&s[0], 0, 1))
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_or(&s[1], 0) == 0) {
            *v = 42;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&s[1], 1);
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&s[0], 0);
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    o[get_group_id(0)] = *v;
}
