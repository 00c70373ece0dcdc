// run: k 64/16
// global: int 64 = 0
// global: int 64 = 0
// expect: nothing
__kernel void k(volatile __global int* used, __global int* scratch) {
    int i = get_global_id(0) % 64;
    for (;;) {
        if (atomic_cmpxchg(&used[i], 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            scratch[i] += get_global_id(0);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&used[i], 0);
            break;
        }
        i = (i + 1) % 64;
    }
}
