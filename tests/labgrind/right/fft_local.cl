// run: fft 64/64
// global: float2 128 = iota
// global: float2 128 = 0
// expect: nothing
__kernel void fft(__global const float2* in, __global float2* out) {
    __local float2 s[128];
    int l = get_local_id(0);
    for (int i = l; i < 128; i += 64) {
        uint r = 0, v = i;
        for (int b = 0; b < 7; b++) {
            r = (r << 1) | (v & 1);
            v >>= 1;
        }
        s[r] = in[i];
    }
    for (int m = 1; m < 128; m <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int k = l & (m - 1), a = ((l - k) << 1) + k, b = a + m;
        float c, sn = sincos(-M_PI_F * k / m, &c);
        float2 u = s[a], w = s[b];
        float2 t = (float2)(w.x * c - w.y * sn, w.x * sn + w.y * c);
        s[a] = u + t;
        s[b] = u - t;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[l];
    out[l + 64] = s[l + 64];
}
