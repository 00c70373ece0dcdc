// The first work-item continues from what the last one has left, a barrier later: it must have been
// there by then, whichever came first.
// run: total 64/32
// global: int 64 = 1
// global: int 2
// local: int 32
// expect: wrong-order 16
__kernel void total(__global const int* values, __global int* totals,
                    volatile __local int* cells) {
    const size_t lid = get_local_id(0);
    cells[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = values[get_global_id(0)];
    if (lid > 0)
        sum += atomic_add(cells + lid - 1, 0);
    atomic_xchg(cells + lid, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 31)
        totals[get_group_id(0)] = cells[lid];
}
