// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 8
__kernel void k(__global int* a, __global int* b) {
    __global int* p;
    if (get_global_id(0) % 2 == 0) p = a;
    p[get_global_id(0)] = 1;
}
