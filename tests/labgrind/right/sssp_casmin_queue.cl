// run: k 128/64
// global: int 128 = 1000000
// global: int 128 = 0
// global: int 1 = 0
// expect: nothing
int cas_min(volatile __global int* p, int v) {
    int old = atomic_or(p, 0);
    while (v < old) {
        int seen = atomic_cmpxchg(p, old, v);
        if (seen == old)
            return 1;
        old = seen;
    }
    return 0;
}
__kernel void k(volatile __global int* dist, __global int* queue, volatile __global int* n) {
    int u = get_global_id(0);
    for (int e = 1; e <= 3; e++) {
        int v = (u * e + 1) % 32;
        if (cas_min(&dist[v], (u * 37) % 101 + e)) {
            int at = atomic_inc(n);
            if (at < 128)
                queue[at] = v;
        }
    }
}
