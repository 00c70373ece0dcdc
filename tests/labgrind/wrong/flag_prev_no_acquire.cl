// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: data-race 12
// says: line 12 needs a mem_fence(CLK_GLOBAL_MEM_FENCE) before it
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0) {
        int g = get_group_id(0);
        while (g > 0 && atomic_add(m + g - 1, 0) == 0)
            ;
        s[g] = data[g] + (g > 0 ? s[g - 1] : 0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(m + g, 1);
    }
}
