// run: k 256/64
// global: int 1 = 1000
// global: int 256 = iota
// expect: nothing
__kernel void k(volatile __global int* t, __global const int* d) {
    int v = d[get_global_id(0)] - 9;
    int o;
    do {
        o = *t;
        if (o <= v)
            break;
    } while (atomic_cmpxchg(t, o, v) != o);
}
