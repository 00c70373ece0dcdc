// run: spfa 8/8
// global: int 64
// global: int 64
// global: int 64
// global: int 64
// global: int 64
// expect: nothing
// one group, a ring of 64 nodes, edges i -> i+1 (w 3), i -> i+2 (w 5)
__kernel void spfa(volatile __global int* dist, volatile __global int* inQueue, __global int* qa,
                   __global int* qb, __global int* res) {
    __local int na, nb;
    const int lid = get_local_id(0), n = 64;
    for (int i = lid; i < n; i += get_local_size(0)) {
        dist[i] = 1000000;
        inQueue[i] = 0;
    }
    if (lid == 0) {
        na = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (lid == 0) {
        dist[0] = 0;
        qa[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    while (na > 0) {
        if (lid == 0)
            nb = 0;
        for (int i = lid; i < na; i += get_local_size(0))
            inQueue[qa[i]] = 0;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (int i = lid; i < na; i += get_local_size(0)) {
            int u = qa[i];
            int du = atomic_add(&dist[u], 0);
            for (int e = 1; e <= 2; e++) {
                int v = u + e;
                if (v >= n)
                    continue;
                int nd = du + 1 + 2 * e;
                if (atomic_min(&dist[v], nd) > nd && atomic_xchg(&inQueue[v], 1) == 0)
                    qb[atomic_inc(&nb)] = v;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (int i = lid; i < nb; i += get_local_size(0))
            qa[i] = qb[i];
        if (lid == 0)
            na = nb;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    for (int i = lid; i < n; i += get_local_size(0))
        res[i] = dist[i];
}
