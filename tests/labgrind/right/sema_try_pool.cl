// run: k 256/64
// global: int 1 = 2
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* sem, volatile __global int* done) {
    if (get_local_id(0))
        return;
    for (;;) {
        int v = atomic_add(sem, 0);
        if (v > 0 && atomic_cmpxchg(sem, v, v - 1) == v)
            break;
    }
    atomic_inc(done);
    atomic_inc(sem);
}
