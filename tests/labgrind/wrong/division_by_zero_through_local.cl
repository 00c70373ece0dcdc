// run: k 4/4
// global: int 4 = iota
// global: int 4 = 0
// expect: division-by-zero 9
__kernel void k(__global const int* in, __global int* out) {
    __local int quotients[4];
    const int lid = get_local_id(0);

    quotients[lid] = 12 / in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = quotients[3 - lid] > 3 ? 1 : 0;
}
