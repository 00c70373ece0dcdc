// run: k 64/16
// global: float 64 = iota
// global: uchar 128 = 0
// expect: data-race 6
__kernel void k(__global const float* in, __global half* out) {
    vstore_half(in[get_global_id(0)], get_global_id(0) / 2, out);
}
