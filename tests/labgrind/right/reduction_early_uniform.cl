// run: k 384/64
// global: float 256 = iota
// local: char 256
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0);
    if (get_group_id(0) >= 4)
        return;
    s[l] = d[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_size(0) == 64 && get_num_groups(0) > 2 || get_group_id(0) == 77) {
        for (int i = 32; i > 0; i /= 2) {
            if (l < i)
                s[l] += s[l + i];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    } else
        return;
    if (l == 0)
        o[get_group_id(0)] = s[0];
}
