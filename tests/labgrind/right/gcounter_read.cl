// run: k 256/64
// global: int 1 = 0
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* c, __global int* o) {
    int t = atomic_inc(c);
    o[t] = 1;
}
