// run: k 4/4
// global: uint 4 = iota
// global: uint 4
// expect: nothing
typedef union {
    ulong all;
    uint half_[2];
} U;
__kernel void k(__global const uint* x, __global uint* o) {
    U u;
    u.half_[0] = x[get_global_id(0)];
    o[get_global_id(0)] = (uint)u.all;
}
