// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void a(__global const float* d, __global float* o) {
    o[get_global_id(0)] = d[get_global_id(0)];
}
__kernel void k(__global const float* d, __global float* o) { a(d, o); }
