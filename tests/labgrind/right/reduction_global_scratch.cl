// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* s, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    s[g] = d[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = 32; i > 0; i /= 2) {
        if (l < i)
            s[g] += s[g + i];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (l == 0)
        o[get_group_id(0)] = s[g];
}
