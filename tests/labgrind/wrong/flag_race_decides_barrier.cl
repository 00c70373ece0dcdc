// run: k 16/4
// global: int 16 = iota
// local: int 4
// global: int 4 = 0
// expect: data-race 12
// The flag is in the array that the next step overwrites: some work-items read a number instead of it.
__kernel void k(__global const int* in, __local int* sums, __global int* out) {
    size_t lid = get_local_id(0);
    if (lid == 0)
        sums[0] = get_group_id(0) % 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (sums[0] == 0)
        return;
    sums[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[get_group_id(0)] = sums[3] + in[0];
}
