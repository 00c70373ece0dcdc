// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
void locked(volatile __global int* L, __global int* c) {
    while (atomic_cmpxchg(L, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *c += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(L, 0);
}
__kernel void k(volatile __global int* L, __global int* c) {
    switch (get_local_id(0)) {
    case 1:
        locked(L, c);
        break;
    case 2:
        locked(L, c);
        break;
    }
}
