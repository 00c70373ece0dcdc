// run: k 4/4
// global: float 4 = iota
// global: float 4
// expect: uninitialised 8
// says: reads the result of twice at line 8, which is uninitialized
// says: twice ends without a return statement
float twice(float x) {
}

__kernel void k(__global const float* in, __global float* out) {
    out[get_global_id(0)] = twice(in[get_global_id(0)]);
}
