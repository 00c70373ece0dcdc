// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global int* L, __global int* c) {
    if (get_local_id(0) == 0) {
        while (atomic_xchg(L, 1) == 1) {
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        int t = *c;
        *c = t + 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
}
