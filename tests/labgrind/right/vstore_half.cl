// run: k 256/64
// global: float 256 = iota
// global: uchar 512 = 0
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global half* h, __global float* o) {
    int g = get_global_id(0);
    vstore_half(d[g], g, h);
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[g] = vload_half(g, h);
    int e;
    float m = frexp(d[g], &e);
    float c;
    float s = sincos(0.0f, &c);
    float ip;
    m = modf(d[g], &ip);
    int q;
    m += remquo(4.0f, 2.0f, &q);
    float fl;
    m += fract(1.0f, &fl);
    o[g] += s + (c - 1) + 0 * (e + q + ip + fl + m);
}
