// run: k 64/16
// global: int 64 = iota
// global: int 4 = 0
// expect: uninitialised 7
__kernel void k(__global const int* in, __global int* out) {
    __local int m;
    atomic_max(&m, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = m;
}
