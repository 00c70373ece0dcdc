// run: k 128/32
// global: int 128 = iota
// global: int 1 = 0
// global: int 4 = 0
// expect: uninitialised 14
__kernel void k(__global const int* in, volatile __global int* seen, __global int* out) {
    if (get_local_id(0))
        return;
    const int g = get_group_id(0);
    const int before = atomic_or(seen, 1 << g);
    int left; //@l
    if (g == 0 || (before & (1 << (g - 1))))
        left = g + 1;
    out[g] = left; //@o
}
