// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: data-race 9
__kernel void k(__global const int* in, __global int* out) {
    __local int m;
    if (get_local_id(0) == 0)
        m = 0;
    atomic_max(&m, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = m;
}
