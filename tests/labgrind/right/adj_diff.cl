// run: k 256/64
// global: float 256 = iota
// local: char 512
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    s[l + 1] = d[g];
    if (l == 0)
        s[0] = g > 0 ? d[g - 1] : 0;
    if (l == n - 1)
        s[n + 1] = g + 1 < get_global_size(0) ? d[g + 1] : d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = s[l] + s[l + 1] + s[l + 2];
}
