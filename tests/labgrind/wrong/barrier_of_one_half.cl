// The barrier that orders the store and the load is inside an if: that it is not reached is the mistake.
// run: k 4/4
// global: int 4 = iota
// local: int 4
// expect: divergent-barrier 13
// says: not by work-items 2 and 3
// never: no barrier
__kernel void k(__global int* data, __local int* tmp) {
    const int lid = get_local_id(0);

    if (lid < 2) {
        tmp[lid] = data[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[lid] = tmp[lid / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
}
