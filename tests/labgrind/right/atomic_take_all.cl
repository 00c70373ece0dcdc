// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* s, __global int* c) {
    atomic_add(s, 1);
    int mine = atomic_xchg(s, 0);
    if (mine)
        atomic_add(c, mine);
}
