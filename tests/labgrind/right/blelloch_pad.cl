// run: k 128/32
// global: float 256 = iota
// local: char 320
// global: float 256 = 0
// expect: nothing
#define LOG 5
#define CF(n) ((n) >> LOG)
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    n *= 2;
    int off = 1;
    int gr = get_group_id(0) * n;
    int ai0 = l, bi0 = l + n / 2;
    int A = CF(ai0), Bk = CF(bi0);
    s[ai0 + A] = d[gr + ai0];
    s[bi0 + Bk] = d[gr + bi0];
    for (int dd = n >> 1; dd > 0; dd >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < dd) {
            int ai = off * (2 * l + 1) - 1, bi = off * (2 * l + 2) - 1;
            ai += CF(ai);
            bi += CF(bi);
            s[bi] += s[ai];
        }
        off <<= 1;
    }
    if (l == 0)
        s[n - 1 + CF(n - 1)] = 0;
    for (int dd = 1; dd < n; dd <<= 1) {
        off >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < dd) {
            int ai = off * (2 * l + 1) - 1, bi = off * (2 * l + 2) - 1;
            ai += CF(ai);
            bi += CF(bi);
            float t = s[ai];
            s[ai] = s[bi];
            s[bi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[gr + ai0] = s[ai0 + A];
    o[gr + bi0] = s[bi0 + Bk];
}
