// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: data-race 12
__kernel void k(__global const int* in, __global int* out) {
    __local int a[64], b[64];
    const int lid = get_local_id(0);
    __local int* src = a;
    __local int* dst = b;
    src[lid] = in[get_global_id(0)];
    for (int d = 1; d < 64; d *= 2) {
        dst[lid] = lid >= d ? src[lid] + src[lid - d] : src[lid];
        __local int* x = src;
        src = dst;
        dst = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = src[lid];
}
