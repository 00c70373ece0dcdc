// run: k 256/64
// global: int 64 = 0
// global: int 64 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* visited, __global int* q, volatile __global int* n) {
    int v = (get_global_id(0) * 3) % 50;
    if (visited[v] == 0 && atomic_xchg(&visited[v], 1) == 0)
        q[atomic_inc(n)] = v;
}
