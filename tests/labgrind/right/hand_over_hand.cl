// run: k 256/64
// global: int 8 = 0
// global: int 8 = 0
// expect: nothing
void lock(volatile __global int* l) {
    while (atomic_xchg(l, 1))
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void unlock(volatile __global int* l) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(l, 0);
}
__kernel void k(volatile __global int* l, __global int* node) {
    if (get_local_id(0) != 0)
        return;
    lock(&l[0]);
    for (int i = 0; i < 7; i++) {
        node[i] += 1;
        lock(&l[i + 1]);
        unlock(&l[i]);
    }
    node[7]++;
    unlock(&l[7]);
}
