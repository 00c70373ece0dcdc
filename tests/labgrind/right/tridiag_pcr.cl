// run: pcr 32/32
// global: float 32 = 1
// global: float 32 = 4
// global: float 32 = 1
// global: float 32 = iota
// global: float 32 = 0
// expect: nothing
__kernel void pcr(__global const float* ga, __global const float* gb, __global const float* gc,
                  __global const float* gd, __global float* x) {
    __local float a[32], b[32], c[32], d[32];
    int l = get_local_id(0), n = 32;
    a[l] = l ? ga[l] : 0;
    b[l] = gb[l];
    c[l] = l < n - 1 ? gc[l] : 0;
    d[l] = gd[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < n; s *= 2) {
        int i = max(l - s, 0), j = min(l + s, n - 1);
        float k1 = l - s >= 0 ? a[l] / b[i] : 0, k2 = l + s < n ? c[l] / b[j] : 0;
        float na = -a[i] * k1, nb = b[l] - c[i] * k1 - a[j] * k2, nc = -c[j] * k2,
              nd = d[l] - d[i] * k1 - d[j] * k2;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] = na;
        b[l] = nb;
        c[l] = nc;
        d[l] = nd;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[l] = d[l] / b[l];
}
