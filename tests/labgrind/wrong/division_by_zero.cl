// run: k 8/4
// global: uint 8 = iota
// global: uint 8 = 0
// expect: division-by-zero 7
// What x % 0 is, OpenCL leaves open: many devices return x, others all ones.
__kernel void k(__global const uint* in, __global uint* out) {
    out[get_global_id(0)] = in[get_global_id(0)] % (in[get_global_id(0)] / 4);
}
