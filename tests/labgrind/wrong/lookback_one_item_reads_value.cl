// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: int 4 = 0
// global: int 256 = 0
// expect: data-race 23
__kernel void k(__global const int* in, volatile __global int* flag, __global int* prefix,
                __global int* out) {
    __local int base;
    const int g = get_group_id(0), lid = get_local_id(0);
    if (lid == 0) {
        base = 0;
        if (g > 0) {
            while (atomic_add(&flag[g - 1], 0) == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            base = prefix[g - 1];
        }
        prefix[g] = base + in[g];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&flag[g], 1);
    }
    out[get_global_id(0)] = in[get_global_id(0)] + base;
}
