// run: k 64/32
// global: int 64 = iota
// global: int 2 = 0
// expect: data-race 12
__kernel void k(__global const int* x, __global int* o) {
    __local int total;
    if (get_local_id(0) == 0)
        total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&total, x[get_global_id(0)]);
    if (get_local_id(0) == get_local_size(0) - 1)
        o[get_group_id(0)] = total;
}
