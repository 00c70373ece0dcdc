// run: k 256/64
// global: int 256 = 1
// global: int 4 = 0
// expect: data-race 10
__kernel void k(__global const int* data, __global int* totals) {
    __local int total;
    if (get_local_id(0) == 0)
        atomic_xchg(&total, 0);
    if (data[get_global_id(0)] > 0)
        atomic_add(&total, data[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = total;
}
