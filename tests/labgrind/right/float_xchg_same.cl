// run: k 256/64
// global: float 1 = 0
// global: float 256 = 0
// expect: nothing
__kernel void k(__global float* a, __global float* o) {
    o[get_global_id(0)] = atomic_xchg(a, 1.0f);
}
