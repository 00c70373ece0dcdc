// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    uchar4 c;
    c.x = g;
    c.y = g >> 8;
    ushort4 u = convert_ushort4(c);
    bool b[4];
    b[0] = true;
    o[g] = b[0] ? (float)c.x : 0;
}
