// run: k 256/64
// global: float 256 = 0
// expect: nothing
__kernel void k(__global float* o) {
    double16 v;
    v.lo = (double8)(3);
    o[get_global_id(0)] = v.s1;
}
