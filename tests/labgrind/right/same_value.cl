// run: k 256/64
// global: float 256 = 0
// global: int 2 = 0
// expect: nothing
__kernel void k(__global float* o, __global int* f) {
    f[0] = 1;
    if (get_global_id(0) % 2 == 0)
        f[1] = 7;
    o[get_global_id(0)] = 1;
}
