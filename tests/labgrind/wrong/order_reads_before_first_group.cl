// run: k 128/32
// global: int 128 = iota
// global: int 1 = 0
// global: int 8 = 0
// expect: out-of-bounds 12
__kernel void k(__global const int* in, volatile __global int* next, __global int* out) {
    if (get_local_id(0))
        return;
    const int t = atomic_inc(next), g = get_group_id(0);
    int p[4] = {0, 0, 0, 0};
    p[t] = in[g];
    out[t + 4] = t > 0 ? in[g - 1] : 0; //@o
}
