// run: k 256/64
// global: int 512 = iota
// local: char 256
// global: int 4 = 0
// expect: nothing
int mx(int a, int b) { return a > b ? a : b; }
__kernel void k(__global const int* d, __local int* s, __global int* o) {
    size_t l = get_local_id(0);
    size_t i = get_group_id(0) * (get_local_size(0) * 2) + l;
    s[l] = mx(d[i], d[i + get_local_size(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t st = get_local_size(0) / 2; st > 0; st >>= 1) {
        if (l < st)
            s[l] = mx(s[l], s[l + st]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        o[get_group_id(0)] = s[0];
}
