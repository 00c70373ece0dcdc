// run: k 64/16
// global: int 64 = iota
// global: int 4 = 0
// expect: data-race 12
// expect: data-race 13
__kernel void k(__global const int* in, __global int* out) {
    __local int m;
    const int l = get_local_id(0);
    if (l == 0)
        m = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] > m)
        m = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = m;
}
