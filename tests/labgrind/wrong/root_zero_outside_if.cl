// run: pre 32/32
// global: int 64 = 1
// global: int 64 = 0
// global: int 1 = 0
// local: int 64
// expect: data-race 21
__kernel void pre(__global const int* in, __global int* out, __global int* sum, __local int* t) {
    int l = get_local_id(0), off = 1;
    int n = 2 * get_local_size(0);
    t[2 * l] = in[2 * l];
    t[2 * l + 1] = in[2 * l + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            t[off * (2 * l + 2) - 1] += t[off * (2 * l + 1) - 1];
        off <<= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        sum[0] = t[n - 1];
    t[n - 1] = 0;
    for (int d = 1; d < n; d <<= 1) {
        off >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int a = off * (2 * l + 1) - 1, b = off * (2 * l + 2) - 1;
            int k = t[a];
            t[a] = t[b];
            t[b] += k;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * l] = t[2 * l];
    out[2 * l + 1] = t[2 * l + 1];
}
