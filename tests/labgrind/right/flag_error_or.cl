// run: k 256/64
// global: float 256 = iota
// global: int 1 = 0
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global int* err, __global float* o) {
    if (d[get_global_id(0)] > 3)
        atomic_or(err, 1);
    o[get_global_id(0)] = 1;
}
