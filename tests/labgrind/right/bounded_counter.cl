// run: k 64/64
// global: int 1 = 0
// global: int 64 = 0
// expect: nothing
// only 10 seats: a compare-and-swap counter that stops at its limit
__kernel void k(volatile __global int* seats, __global int* got) {
    int old = atomic_add(seats, 0);
    for (;;) {
        if (old >= 10)
            break;
        int seen = atomic_cmpxchg(seats, old, old + 1);
        if (seen == old) {
            got[get_global_id(0)] = old + 1;
            break;
        }
        old = seen;
    }
}
