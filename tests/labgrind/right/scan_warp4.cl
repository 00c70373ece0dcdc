// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    __local float ws[8];
    float v = d[g];
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 8; i <<= 1) {
        float t = (l % 8 >= i) ? s[l - i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l % 8 == 7)
        ws[l / 8] = s[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) {
        float a = 0;
        for (int j = 0; j < l; j++)
            a += ws[j];
        s[l * 8] += 0 * a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float a = 0;
    for (int j = 0; j < l / 8; ++j)
        a += ws[j];
    o[g] = s[l] + a;
}
