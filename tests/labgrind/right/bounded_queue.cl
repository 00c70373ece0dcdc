// run: k 256/64
// global: int 256 = iota
// global: int 32 = 0
// global: uint 1 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* q, volatile __global uint* n) {
    uint old, seen = *n;
    do {
        old = seen;
        if (old >= 32)
            return;
        seen = atomic_cmpxchg(n, old, old + 1);
    } while (seen != old);
    q[old] = d[get_global_id(0)];
}
