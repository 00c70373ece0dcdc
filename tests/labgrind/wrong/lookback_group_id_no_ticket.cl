// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: int 4 = 0
// expect: endless-loop 11
__kernel void k(__global const int* in, volatile __global int* flag, __global int* prefix) {
    if (get_local_id(0) == 0) {
        const int g = get_group_id(0);
        int p = 0;
        if (g < 3) {
            while (atomic_add(&flag[g + 1], 0) == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            p = prefix[g + 1];
        }
        prefix[g] = p + in[g];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&flag[g], 1);
    }
}
