// run: k 3/1
// global: int 1
// global: int 1
// global: int 3
// expect: nothing
__kernel void k(volatile __global int* rw, __global int* shared, __global int* out) {
    int g = get_group_id(0);
    if (g == 1) {
        while (atomic_cmpxchg(rw, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *shared += 5;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_sub(rw, 1);
    } else {
        while (atomic_add(rw, 2) & 1)
            atomic_sub(rw, 2);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        out[g] = *shared;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_sub(rw, 2);
    }
}
