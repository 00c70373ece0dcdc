// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: int 4 = 0
// expect: data-race 12
__kernel void k(__global const int* in, volatile __global int* flag,
                volatile __global int* prefix) {
    if (get_local_id(0) == 0) {
        const int g = get_group_id(0);
        int p = 0;
        if (g > 0) {
            p = prefix[g - 1];
            while (atomic_or(&flag[g - 1], 0) == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        }
        prefix[g] = p + in[g];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&flag[g], 1);
    }
}
