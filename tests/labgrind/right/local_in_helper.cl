// run: k 128/64
// global: int 128 = iota
// global: int 2 = 0
// expect: nothing
int reduce(__local int* s, int v) {
    int l = get_local_id(0);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_size(0) / 2; i; i >>= 1) {
        if (l < i)
            s[l] += s[l + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int r = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
__kernel void k(__global const int* d, __global int* o) {
    __local int s[64];
    int v = d[get_global_id(0)];
    int sum = reduce(s, v), mx = reduce(s, v * v), c = reduce(s, v & 1);
    if (get_local_id(0) == 63)
        o[get_group_id(0)] = sum + mx + c;
}
