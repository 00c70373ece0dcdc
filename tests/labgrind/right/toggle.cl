// run: k 256/64
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* w) {
    int o;
    do {
        o = *w;
    } while (atomic_cmpxchg(w, o, !o) != o);
}
