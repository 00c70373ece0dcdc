// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    __local float t[64];
    __local float* a = s;
    __local float* b = t;
    a[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < n; i <<= 1) {
        b[l] = a[l] + ((l >= i) ? a[l - i] : 0.0f);
        __local float* x = a;
        a = b;
        b = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g] = a[l];
}
