// run: k 2/2
// global: int 8 = iota
// global: int 8 = 0
// expect: division-by-zero 7
__kernel void k(__global const int4* in, __global int* out) {
    const int4 mine = in[get_global_id(0)];
    const int4 quotients = 12 / mine;
    out[get_global_id(0)] = quotients.x + quotients.y;
}
