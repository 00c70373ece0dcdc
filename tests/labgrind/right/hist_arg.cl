// run: k 256/64
// global: uchar 1024 = 17
// local: char 64
// global: uint 64 = 0
// expect: nothing
__kernel void k(__global const uchar* d, __local uint* h, __global uint* o) {
    uint l = get_local_id(0);
    if (l < 16)
        h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < 1024; i += get_global_size(0))
        (void)atomic_add(h + (d[i] >> 4), 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        o[get_group_id(0) * 16 + l] = h[l];
}
