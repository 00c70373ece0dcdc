// run: k 256/64
// global: float 256 = 0
// expect: nothing
__kernel void k(__global float* o) {
    double16 v;
    v.lo = (double8)(3);
    v.hi = v.lo; /* every lane is written */
    double16 w = v + v;
    o[get_global_id(0)] = w.sb;
}
