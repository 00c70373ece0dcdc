// run: cv 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 11
// expect: out-of-bounds 12
__kernel void cv(__global const float* in, __global float* out) {
    __local float t[20];
    const int i = get_global_id(0), l = get_local_id(0);
    t[l + 2] = in[i];
    if (l < 2) {
        t[l] = in[i - 2];
        t[l + 18] = in[i + 16];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k < 5; k++)
        s += t[l + k];
    out[i] = s;
}
