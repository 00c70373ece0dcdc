// run: k 256/64
// global: int 1 = 2
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* s, __global int* c) {
    if (get_local_id(0) == 0) {
        for (;;) {
            int v = atomic_add(s, 0);
            if (v > 0 && atomic_cmpxchg(s, v, v - 1) == v)
                break;
        }
        atomic_inc(c);
        atomic_inc(s);
    }
}
