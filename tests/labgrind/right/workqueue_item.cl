// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o, __global int* head) {
    int j;
    while ((j = atomic_inc(head)) < 256)
        o[j] = d[j];
}
