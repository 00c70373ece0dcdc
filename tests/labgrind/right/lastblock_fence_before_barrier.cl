// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// global: uint 1 = 0
// global: float 1 = 0
// expect: nothing
__kernel void k(__global const float* d, __global volatile float* copy, __global volatile uint* cnt,
                __global float* o) {
    __local int last;
    int l = get_local_id(0);
    copy[get_global_id(0)] = d[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE); // orders only local memory
    if (l == 0)
        last = (atomic_inc(cnt) == get_num_groups(0) - 1);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && l == 0) {
        float t = 0;
        for (int i = 0; i < get_global_size(0); i++)
            t += copy[i];
        *o = t;
    }
}
