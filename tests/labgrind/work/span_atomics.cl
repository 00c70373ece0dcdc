// Atomic additions to one word come one after another; those of counters and locks are no additions.
// run: go 64/32
// global: int 64 = 1
// global: int 2 = 0
// counts: additions 64, span 32

__kernel void go(__global const int* data, __global int* output) {
    __local int sum;
    __local int count;
    if (get_local_id(0) == 0)
        sum = count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int turn = atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, data[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (turn == 0)
        output[get_group_id(0)] = sum;
}
