// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
void f(__local float* s, int l) {
    s[l] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
}
void g2(__local float* s, int l) {
    f(s, l);
    f(s, l);
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[64];
    s[l] = d[g] / 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            g2(s, l);
        else {
            f(s, l);
            f(s, l);
        }
    }
    o[g] = s[l];
}
