// run: bfs 64/16
// global: int 64 = 0
// global: int 64 = 0
// global: int 1 = 0
// expect: data-race 10
// expect: data-race 11
__kernel void bfs(__global int* level, __global int* next, __global int* count) {
    const int v = get_global_id(0), w = (v * 7 + 1) % 64;
    if (atomic_cmpxchg(&level[w], 0, 1) == 0) {
        next[*count] = w;
        *count = *count + 1;
    }
}
