// run: k 256/64
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* c) {
    int o;
    do {
        o = atomic_or(c, 0);
    } while (atomic_cmpxchg(c, o, (o + 1) % 2) != o);
}
