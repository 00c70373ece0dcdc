// run: bfsSearch 256/64
// global: int 256 = -1
// global: int 1 = 0
// value: int 0
// value: int 256
// expect: nothing
#define UNVISITED (-1)
__kernel void bfsSearch(__global int* cost, __global int* frontierCount, const int level,
                        const int n) {
    size_t vertex = get_global_id(0);
    if (n <= vertex)
        return;
    if (vertex < 16)
        atomic_cmpxchg(&cost[vertex], UNVISITED, level);
    if (atomic_cmpxchg(&cost[vertex], level, level) != level)
        return;
    atomic_dec(&frontierCount[0]);
    for (uint i = 0; i < 3; ++i) {
        uint neighbour = (vertex * 7 + i * 13 + 20) % n;
        if (atomic_cmpxchg(&cost[neighbour], UNVISITED, level + 1) == UNVISITED)
            atomic_inc(&frontierCount[0]);
    }
}
