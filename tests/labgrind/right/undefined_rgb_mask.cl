// run: k 4/4
// global: uchar 12 = iota
// global: uint 4
// expect: nothing
__kernel void k(__global const uchar* rgb, __global uint* o) {
    int i = get_global_id(0);
    uchar4 p;
    p.xyz = vload3(i, rgb);
    o[i] = as_uint(p) & 0x00ffffffu;
}
