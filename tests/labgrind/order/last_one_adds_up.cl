// The last work-item to arrive writes the total, whichever it is.
// run: total 64/32
// global: int 64 = iota
// global: int 2
// expect: nothing
__kernel void total(__global const int* values, __global int* totals) {
    __local int sum;
    __local int come;
    if (get_local_id(0) == 0)
        sum = come = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, values[get_global_id(0)]);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    if (atomic_inc(&come) == 31)
        totals[get_group_id(0)] = atomic_or(&sum, 0);
}
