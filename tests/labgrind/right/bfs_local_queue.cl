// run: bfs 128/64
// global: int 128 = iota
// global: int 512 = -1
// global: int 1024 = 0
// global: int 1 = 0
// expect: nothing
#define CAP 160
__kernel void bfs(__global const int* frontier, volatile __global int* level, __global int* next,
                  volatile __global int* tail) {
    __local int q[CAP];
    __local int n, base;
    int l = get_local_id(0);
    if (l == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int u = frontier[get_global_id(0)];
    for (int e = 0; e < 4; e++) {
        int v = (u * 3 + e * 17) % 512;
        if (atomic_cmpxchg(&level[v], -1, 1) == -1) {
            int at = atomic_inc(&n);
            if (at < CAP)
                q[at] = v;
            else
                next[atomic_inc(tail)] = v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int mine = min(n, CAP);
    if (l == 0)
        base = atomic_add(tail, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < mine; i += get_local_size(0))
        next[base + i] = q[i];
}
