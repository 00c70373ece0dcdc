// run: k 256/64
// global: float 256 = iota
// global: float 4 = 0
// global: uint 1 = 0
// global: float 1 = 0
// expect: barrier-flag 22
__kernel void k(__global const float* d, __global volatile float* part, __global volatile uint* cnt,
                __global float* o) {
    __local int last;
    __local float s[64];
    int l = get_local_id(0);
    s[l] = d[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        float t = 0;
        for (int i = 0; i < 64; i++)
            t += s[i];
        part[get_group_id(0)] = t;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = (atomic_inc(cnt) == get_num_groups(0) - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // orders only local memory
    if (last && l == 63) {
        float t = 0;
        for (int i = 0; i < get_num_groups(0); i++)
            t += part[i];
        *o = t;
    }
}
