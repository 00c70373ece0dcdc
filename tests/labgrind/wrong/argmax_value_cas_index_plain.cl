// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 12
__kernel void k(__global const int* in, volatile __global int* best, __global int* where) {
    const int v = in[get_global_id(0)];
    int old = *best;
    while (v > old) {
        const int seen = atomic_cmpxchg(best, old, v);
        if (seen == old) {
            *where = get_global_id(0);
            break;
        }
        old = seen;
    }
}
