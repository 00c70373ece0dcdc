// run: k 128/64
// global: int 128 = iota
// expect: nothing
// Komura's merge: atomic_min, and go on with what was there
__kernel void k(volatile __global int* p) {
    int a = get_global_id(0), b = (a + 17) % 128;
    bool done = false;
    while (!done) {
        int q;
        while ((q = atomic_add(&p[a], 0)) != a)
            a = q;
        while ((q = atomic_add(&p[b], 0)) != b)
            b = q;
        if (a == b)
            break;
        if (a < b) {
            int old = atomic_min(&p[b], a);
            done = old == b;
            b = old;
        } else {
            int old = atomic_min(&p[a], b);
            done = old == a;
            a = old;
        }
    }
}
