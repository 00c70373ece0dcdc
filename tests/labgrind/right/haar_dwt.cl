// run: dwtHaar1D 64/64
// global: float 128 = iota
// global: float 128 = 0
// global: float 1 = 0
// local: float 128
// value: uint 7
// expect: nothing
__kernel void dwtHaar1D(__global float* in, __global float* coef, __global float* approx,
                        __local float* s, uint levels) {
    size_t l = get_local_id(0), n = get_local_size(0);
    float t0 = in[l], t1 = in[l + n];
    s[l] = t0;
    s[l + n] = t1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint active = n, mid = n;
    for (uint i = 0; i < levels; ++i) {
        float d0, d1;
        if (l < active) {
            d0 = s[2 * l];
            d1 = s[2 * l + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            s[l] = (d0 + d1) * rsqrt(2.0f);
            coef[mid + l] = (d0 - d1) * rsqrt(2.0f);
            mid >>= 1;
        }
        active >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        approx[0] = s[0];
}
