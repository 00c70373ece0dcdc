// run: k 4/4
// local: float 4
// global: float 4
// expect: uninitialised 8
// says: reads sums[0] at line 8
// never: only line
__kernel void k(__local float* sums, __global float* out) {
    out[get_global_id(0)] = sums[get_local_id(0)];
}
