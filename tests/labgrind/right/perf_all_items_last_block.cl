// run: k 1024/64
// global: float 1024 = iota
// global: float 16 = 0
// global: uint 1 = 0
// global: float 64 = 0
// expect: nothing
// every work-item sees to its own fence before the group counts itself done; the last group reads all
__kernel void k(__global const float* d, __global volatile float* part, volatile __global uint* cnt,
                __global float* o) {
    __local float s[64];
    __local uint ticket;
    int l = get_local_id(0);
    s[l] = d[get_global_id(0)];
    for (int i = 32; i > 0; i >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < i)
            s[l] += s[l + i];
    }
    if (l == 0)
        part[get_group_id(0)] = s[0];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        ticket = atomic_inc(cnt);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (ticket == get_num_groups(0) - 1) {
        float t = 0;
        for (int i = 0; i < get_num_groups(0); i++)
            t += part[i];
        o[l] = t;
    }
}
