// run: k 8/4
// global: int 8 = iota
// global: int 8 = 0
// Where the divisor is 0, the result is not used.
__kernel void k(__global const int* in, __global int* out) {
    const int x = in[get_global_id(0)];
    const int4 quotients = (int4)(16) / (int4)(x, 1, 2, 4);
    const int remainder = select(5 % x, 0, x == 0);
    out[get_global_id(0)] = quotients.y + quotients.w + remainder + (x == 0 ? 0 : 16 / x);
}
