// run: k 128/64
// global: int 128 = 1000
// global: int 128 = iota
// global: int 1 = 0
// global: int 512 = 0
// expect: nothing
// SSSP with a frontier: test, atomic_min, append
__kernel void k(volatile __global int* dist, __global const int* frontier, volatile __global int* n,
                __global int* next) {
    int u = frontier[get_global_id(0)];
    for (int e = 0; e < 4; e++) {
        int v = (u + e * 3) % 64, nd = (u * 13) % 50 + e;
        if (nd < dist[v] && nd < atomic_min(&dist[v], nd))
            next[atomic_inc(n)] = v;
    }
}
