// run: k 256/64
// global: uint 8 = 0
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global uint* visited, __global int* q, volatile __global int* n) {
    int v = (get_global_id(0) * 11) % 200;
    uint bit = 1u << (v % 32);
    if (!(visited[v / 32] & bit)) {
        uint old = atomic_or(&visited[v / 32], bit);
        if (!(old & bit))
            q[atomic_inc(n)] = v;
    }
}
