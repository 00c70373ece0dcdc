// run: k 128/64
// global: int 128 = iota
// expect: nothing
int find(volatile __global int* p, int x) {
    int q;
    while ((q = atomic_or(&p[x], 0)) != x)
        x = q;
    return x;
}
__kernel void k(volatile __global int* p) {
    int a = get_global_id(0), b = (a * 5 + 3) % 128;
    for (;;) {
        int ra = find(p, a), rb = find(p, b);
        if (ra == rb)
            break;
        int hi = max(ra, rb), lo = min(ra, rb);
        if (atomic_cmpxchg(&p[hi], hi, lo) == hi)
            break;
    }
}
