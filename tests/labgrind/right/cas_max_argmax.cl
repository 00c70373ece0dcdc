// run: k 64/64
// global: int 64 = iota
// global: int 1 = 0
// global: int 1 = 0
// global: int 64 = 0
// expect: nothing
// running maximum; every record is listed in the order it was set
__kernel void k(__global const int* d, volatile __global int* best, volatile __global int* n,
                __global int* records) {
    int v = d[get_global_id(0)] * 29 % 64;
    int old = atomic_or(best, 0);
    while (v > old) {
        int seen = atomic_cmpxchg(best, old, v);
        if (seen == old) {
            records[atomic_inc(n)] = v;
            break;
        }
        old = seen;
    }
}
