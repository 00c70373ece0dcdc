// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* m, __global int* c) {
    bool todo = true;
    while (todo) {
        if (*m == 0 && atomic_xchg(m, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            *c += get_global_id(0);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(m, 0);
            todo = false;
        }
    }
}
