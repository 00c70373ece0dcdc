// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = n >> 1;
    do {
        float t;
        if (l < i) {
            t = s[l + i];
            s[l] = s[l] + t;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        i >>= 1;
    } while (i);
    if (l == 0)
        o[get_group_id(0)] = s[0];
}
