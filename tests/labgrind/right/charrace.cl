// run: k 256/64
// global: uchar 256 = 0
// global: ushort 256 = 0
// expect: nothing
__kernel void k(__global uchar* o, __global ushort* p) {
    __local uchar s[64];
    int l = get_local_id(0), g = get_global_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = s[63 - l];
    p[g] = g;
}
