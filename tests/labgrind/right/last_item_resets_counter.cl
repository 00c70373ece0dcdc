// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: uint 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* part, volatile __global uint* cnt,
                __global int* o) {
    __local int s[64];
    __local bool last;
    int l = get_local_id(0);
    s[l] = d[get_global_id(0)];
    for (int i = 32; i > 0; i /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < i)
            s[l] += s[l + i];
    }
    if (l == 0) {
        part[get_group_id(0)] = s[0];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(cnt) == get_num_groups(0) - 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last) {
        s[l] = l < get_num_groups(0) ? part[l] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 1)
            *cnt = 0;
        if (l == 0) {
            int t = 0;
            for (int i = 0; i < get_num_groups(0); i++)
                t += s[i];
            *o = t;
        }
    }
}
