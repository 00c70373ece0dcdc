// run: k 4/4
// global: int4 4 = 1
// global: int4 4
// expect: nothing
__kernel void k(__global const int4* a, __global int4* o) {
    __local int4 s[8];
    int l = get_local_id(0);
    s[l + 4] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = s[l + 4] + s[l + 3] * (l > 0);
}
