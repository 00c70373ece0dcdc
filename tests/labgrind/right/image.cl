// run: k 1/1
// global: float 256 = 0
// value: int 3
// expect: nothing
__kernel void k(__global float* o, int im) { o[0] = 1; }
