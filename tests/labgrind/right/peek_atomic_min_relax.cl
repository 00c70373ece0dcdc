// run: k 256/64
// global: int 256 = 100000
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
// Bellman-Ford's relaxation with the usual test before the atomic
__kernel void k(volatile __global int* next, __global const int* dist,
                volatile __global int* changed) {
    int u = get_global_id(0);
    for (int e = 0; e < 4; e++) {
        int v = (u * 5 + e) % 256;
        int nd = dist[u] + 1 + (u + e) % 7;
        if (nd < next[v]) {
            if (nd < atomic_min(&next[v], nd))
                *changed = 1;
        }
    }
}
