// run: k 4/4
// global: ushort 4 = iota
// global: uint 4
// expect: nothing
__kernel void k(__global const ushort* x, __global uint* o) {
    ushort2 p;
    p.y = x[get_global_id(0)];
    o[get_global_id(0)] = as_uint(p) >> 16;
}
