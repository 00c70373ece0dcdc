// += where = is meant: the destination holds nothing yet.
// run: k 8/8
// global: int 8 = iota
// expect: uninitialised 12
// says: line 12 changes it with += or a similar operator, which reads it first: should it be =, or is a first value missing?
__kernel void k(__global int* values) {
    __local int sums[8];
    __local int shifted[8];
    const size_t lid = get_local_id(0);
    sums[lid] = values[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    shifted[lid] += sums[7 - lid];
    values[lid] = shifted[lid];
}
