// run: k 8/4
// global: uint 1 = 0
// global: uint 8
// expect: uninitialised 12
// says: line 10 sets it in work-item 0, but each work-item has its own copy of a private variable: should it be __local
__kernel void k(volatile __global uint* ticket, __global uint* out) {
    uint tile;

    if (get_local_id(0) == 0)
        tile = atomic_inc(ticket);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[tile * get_local_size(0) + get_local_id(0)] = tile;
}
