// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: int 4 = 0
// global: int 1 = 0
// expect: data-race 16
__kernel void k(__global const int* in, volatile __global int* flag, __global int* prefix,
                volatile __global int* ticket) {
    if (get_local_id(0) == 0) {
        const int g = atomic_inc(ticket);
        int p = 0;
        if (g > 0) {
            while (atomic_add(&flag[g - 1], 0) == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            p = prefix[g - 1];
        }
        atomic_xchg(&flag[g], 1);
        prefix[g] = p + in[g];
    }
}
