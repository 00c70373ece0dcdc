// run: k 64/64
// global: int 1 = 0
// global: int 128 = 0
// global: int 128 = 0
// global: int 64 = 0
// expect: nothing
// all work-items push, then all pop
__kernel void k(volatile __global int* head, __global int* next, __global int* value,
                __global int* o) {
    int me = get_global_id(0) + 1, old, top;
    value[me] = me * me;
    do {
        old = atomic_or(head, 0);
        next[me] = old;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    } while (atomic_cmpxchg(head, old, me) != old);
    barrier(CLK_GLOBAL_MEM_FENCE);
    do {
        top = atomic_or(head, 0);
    } while (atomic_cmpxchg(head, top, next[top]) != top);
    o[me - 1] = value[top];
}
