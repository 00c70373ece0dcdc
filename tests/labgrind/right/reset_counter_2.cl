// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global int* n, __global int* c) {
    if (get_local_id(0) == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(n) == get_num_groups(0) - 1) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            *c = 4;
            *n = 0; /* for the next launch */
        }
    }
}
