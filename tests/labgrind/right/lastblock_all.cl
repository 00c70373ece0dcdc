// run: k 256/64
// global: float 256 = iota
// global: float 4 = 0
// global: uint 1 = 0
// global: float 1 = 0
// local: char 256
// expect: nothing
__kernel void k(__global const float* d, __global volatile float* part, __global volatile uint* cnt,
                __global float* o, __local float* s) {
    __local int last;
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
        last = (atomic_inc(cnt) == get_num_groups(0) - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last) {
        s[l] = l < get_num_groups(0) ? part[l] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) {
            float t = 0;
            for (int i = 0; i < get_num_groups(0); i++)
                t += s[i];
            *o = t;
            atomic_xchg(cnt, 0u);
        }
    }
}
