// run: k 4/4
// global: uint 4 = iota
// global: uint 4
// expect: nothing
// one byte a work-item in a row of words
__kernel void k(__global const uint* x, __global uint* o) {
    __local uint w[2];
    __local uchar* b = (__local uchar*)w;
    int l = get_local_id(0);
    if (l < 3)
        b[l] = (uchar)x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = (w[0] & 0xffffffu) >> (8 * min(l, 2)) & 0xff;
}
