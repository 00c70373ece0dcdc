// run: k 128/32
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int off = 1;
    n = 2 * n;
    int gr = get_group_id(0) * n;
    s[2 * l] = d[gr + 2 * l];
    s[2 * l + 1] = d[gr + 2 * l + 1];
    for (int dd = n >> 1; dd > 0; dd >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < dd) {
            int ai = off * (2 * l + 1) - 1, bi = off * (2 * l + 2) - 1;
            s[bi] += s[ai];
        }
        off *= 2;
    }
    if (l == 0)
        s[n - 1] = 0;
    for (int dd = 1; dd < n; dd *= 2) {
        off >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < dd) {
            int ai = off * (2 * l + 1) - 1, bi = off * (2 * l + 2) - 1;
            float t = s[ai];
            s[ai] = s[bi];
            s[bi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[gr + 2 * l] = s[2 * l];
    o[gr + 2 * l + 1] = s[2 * l + 1];
}
