// run: k 512/512
// global: int 512 = iota
// local: int 512
// expect: data-race 8
// says: their local ids differ by 256
__kernel void k(__global int* values, __local int* mine) {
    const uchar lid = get_local_id(0);
    mine[lid] = values[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = mine[lid];
}
