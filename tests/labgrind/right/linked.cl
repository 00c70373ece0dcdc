// run: k 256/64
// global: int 8 = -1
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global int* head, __global int* next, __global int* c) {
    int g = get_global_id(0);
    next[g] = atomic_xchg(head + g % 8, g);
    atomic_inc(c);
}
