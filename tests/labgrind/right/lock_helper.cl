// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// global: float 256 = 0
// expect: nothing
void lock(volatile __global int* p) {
    while (atomic_cmpxchg(p, 0, 1))
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void unlock(volatile __global int* p) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(p, 0);
}
__kernel void k(volatile __global int* L, __global int* c, __global float* s) {
    if (get_local_id(0) == 0) {
        lock(L);
        c[0]++;
        s[get_group_id(0)] = *c;
        unlock(L);
    }
}
